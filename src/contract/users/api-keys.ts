import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, Text } from '#contract/scalars.ts';

/** What a key of a seller's program may do: look at the stock, change it, look at what was sold. */
export const SCOPES = ['stock:read', 'stock:write', 'orders:read'] as const;
export type Scope = (typeof SCOPES)[number];
export const ScopeName = Type.Union([
  Type.Literal('stock:read'),
  Type.Literal('stock:write'),
  Type.Literal('orders:read'),
]);

/** So many keys a seller may have at once. */
export const MAX_API_KEYS = 10;
/** So many calls a minute a program may make, with all keys of a seller together. */
export const KEY_CALLS_A_MINUTE = 300;

/** A key of a seller's program. `begins`: its first letters, by which it is known; the rest was shown once. */
export const ApiKey = Type.Object({
  _id: Id,
  name: Type.String(),
  begins: Type.String(),
  scopes: Type.Array(ScopeName),
  createdAt: IsoTime,
  lastUsedAt: Type.Union([IsoTime, Type.Null()]),
});
export type ApiKey = Static<typeof ApiKey>;

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  summary: 'The keys of the seller’s programs',
  access: 'seller',
  status: 200,
  answer: Type.Object({ keys: Type.Array(ApiKey) }),
  refused: { keys: [] },
  personal: true,
});

/**
 * Makes a key, which is answered this once: `Authorization: Bearer dg_…`. 403 `fresh_sign_in_needed` where the sign-in
 * is older than 15 minutes, 429 beyond ten keys.
 */
export const makeApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  summary: 'Makes a key for a program',
  access: 'seller who signed in within 15 minutes',
  body: Type.Object({ name: Text(60), scopes: Type.Array(ScopeName, { minItems: 1, maxItems: 3 }) }),
  status: 201,
  answer: Type.Object({ key: Type.String(), made: ApiKey }),
  refused: { key: '' },
  personal: true,
});

/** From then on the key is nobody's. 0 where it is none of the seller's, or was revoked before. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/:id',
  summary: 'Revokes a key of a program',
  access: 'seller',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});
