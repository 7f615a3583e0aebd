import { Type } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, PageQuery } from '#contract/scalars.ts';
import { Message, MessageDraft, ReadUpTo } from './messages.ts';

const params = Type.Object({ id: Id });

export const listNotes = endpoint({
  method: 'GET',
  path: '/orders/:id/notes',
  summary: 'What buyer and seller of an order wrote to each other, newest first',
  access: 'its buyer, its seller, admin',
  params,
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Message),
  personal: true,
});

/**
 * The other side is mailed a link. 403 to admins, who only read; 409 `thread_closed` once the order has been over for
 * so long that its two sides do not see any more how to reach each other.
 */
export const writeNote = endpoint({
  method: 'POST',
  path: '/orders/:id/notes',
  summary: 'Writes a note to the other side of an order',
  access: 'its buyer, its seller; `Idempotency-Key` is honoured',
  params,
  body: MessageDraft,
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean(), insertedId: Id }),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});

/** Admins read without a trace. */
export const readNotes = endpoint({
  method: 'PUT',
  path: '/orders/:id/notes/read',
  summary: 'Marks the notes of an order as read',
  access: 'its buyer, its seller, admin',
  params,
  body: ReadUpTo,
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
