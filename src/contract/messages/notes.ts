import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** Characters of a note at most. */
export const MAX_NOTE_LENGTH = 2_000;

/** A note of an order; `text` is empty once its writer has left and it was forgotten. */
export const Note = Type.Object({
  _id: Id,
  by: Type.Union([Type.Literal('buyer'), Type.Literal('seller')]),
  text: Type.String(),
  at: IsoTime,
});
export type Note = Static<typeof Note>;

export const listNotes = endpoint({
  method: 'GET',
  path: '/orders/:id/notes',
  summary: 'What buyer and seller of an order wrote to each other, newest first',
  access: 'its buyer, its seller, admin',
  params: Type.Object({ id: Id }),
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Note),
  personal: true,
});

export const NoteDraft = Type.Object({ text: Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH }) });

/**
 * The other side is mailed a link. 403 to admins, who only read; 409 `thread_closed` once the order has been over for
 * so long that its two sides do not see any more how to reach each other.
 */
export const writeNote = endpoint({
  method: 'POST',
  path: '/orders/:id/notes',
  summary: 'Writes a note to the other side of an order',
  access: 'its buyer, its seller; `Idempotency-Key` is honoured',
  params: Type.Object({ id: Id }),
  body: NoteDraft,
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean(), insertedId: Id }),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});
