import type { DeliveryExceptionDraft } from '#contract/delivery/delivery-calls.ts';
import { deliveryProblems, termsOfDraft, wholeDraft } from '#contract/delivery/delivery-rules.ts';
import { DEFAULT_DELIVERY } from '#contract/delivery/delivery.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { findTerms, upsertException } from './delivery.queries.ts';

/**
 * Notes what is different about the delivery of a copy that is being listed. 400 with `fields.delivery` where it makes
 * no sense together with what holds for all of its seller's.
 */
export const placeDelivery = async (
  trx: Trx,
  copy: { readonly id: string; readonly sellerId: string },
  draft: DeliveryExceptionDraft | undefined,
): Promise<void> => {
  if (draft === undefined) return;
  const own = termsOfDraft(draft);
  if (Object.values(own).every((part) => part === undefined)) return;
  const terms = (await findTerms(trx, copy.sellerId)) ?? DEFAULT_DELIVERY;
  // The form of a listing shows no fields of its delivery: one sentence stands beside what was taken over.
  const [problem] = Object.values(deliveryProblems(wholeDraft(terms, draft)));
  if (problem !== undefined) throw badFields({ delivery: `Delivery of this book: ${problem}` });
  await upsertException(trx, copy.id, own);
};
