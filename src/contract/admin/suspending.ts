import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime } from '#contract/scalars.ts';
import { Reason } from './reason.ts';

/** Days that somebody may be suspended for; without a number it is until an admin lifts it. */
export const MAX_SUSPENSION_DAYS = 365;

const params = Type.Object({ id: Id });
const Modified = Type.Object({ modifiedCount: Type.Integer() });

/**
 * Hides what they sell and stops new bookings, listings, messages to strangers and payouts; running orders go on. They
 * are mailed the reason. Suspended again, the new reason and time hold. 403 for oneself and for other admins, 404 for
 * an unknown or deleted user.
 */
export const suspendUser = endpoint({
  method: 'PUT',
  path: '/users/suspended/:id',
  summary: 'Suspends a user',
  access: 'admin',
  params,
  body: Type.Object({
    reason: Reason,
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SUSPENSION_DAYS })),
  }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** 1, or 0 when the user is not suspended; they are told by mail. An unknown or deleted user is 404. */
export const liftSuspension = endpoint({
  method: 'DELETE',
  path: '/users/suspended/:id',
  summary: 'Lifts the suspension of a user',
  access: 'admin',
  params,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** `until` is null where an admin has to lift it. */
export const Suspension = Type.Object({
  reason: Type.String(),
  since: IsoTime,
  until: Type.Union([IsoTime, Type.Null()]),
});
export type Suspension = Static<typeof Suspension>;

export const readOwnSuspension = endpoint({
  method: 'GET',
  path: '/account/suspension',
  summary: 'Whether the viewer is suspended, and why',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ suspension: Type.Union([Suspension, Type.Null()]) }),
  refused: { suspension: null },
  personal: true,
});
