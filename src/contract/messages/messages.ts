import { Type, type Static } from 'typebox';
import { MAX_PHOTOS, OrderPhoto } from '#contract/catalog/photos.ts';
import { Id, IsoTime } from '#contract/scalars.ts';

/** Characters of a message at most. */
export const MAX_MESSAGE_LENGTH = 2_000;

export const ThreadSide = Type.Union([Type.Literal('buyer'), Type.Literal('seller')]);
export type ThreadSide = Static<typeof ThreadSide>;

/**
 * What one of two people wrote to the other. `isForgotten`: its writer has left, and the words are gone.
 * `isHidden`: the shop has put it out of sight, and tells no words. `leadsOutside`: it names a link, an address or a
 * way to pay past the shop, and both are warned.
 */
export const Message = Type.Object({
  _id: Id,
  by: ThreadSide,
  text: Type.String(),
  photos: Type.Array(OrderPhoto),
  leadsOutside: Type.Boolean(),
  isForgotten: Type.Boolean(),
  isHidden: Type.Boolean(),
  at: IsoTime,
});
export type Message = Static<typeof Message>;

/** Words, photos of the writer's own by their ids, or both. */
export const MessageDraft = Type.Object({
  text: Type.String({ maxLength: MAX_MESSAGE_LENGTH }),
  photos: Type.Optional(Type.Array(Id, { maxItems: MAX_PHOTOS })),
});
export type MessageDraft = Static<typeof MessageDraft>;

/** What is read up to and with a message: what came after it was not seen. */
export const ReadUpTo = Type.Object({ upTo: Id });
