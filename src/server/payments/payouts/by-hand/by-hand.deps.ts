import type { ShopCalendar } from '#contract/orders/deadlines.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';

/** What paying by hand needs to know. */
export type ByHandDeps = Pick<PaymentDeps, 'db' | 'payouts'> & { readonly calendar: ShopCalendar };
