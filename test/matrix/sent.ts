import { randomUUID } from 'node:crypto';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import type { Cell, Row, Sent } from './row.ts';
import type { Scene } from './scene.ts';

// What several tables of rows send, and who is shown what.

export const nothing = undefined;
export const somebody = randomUUID();
export const toMe = ({ claimed }: Cell): Sent => ({ query: { email: claimed } });
export const ofUser = async ({ t }: Cell): Promise<Sent> => {
  const email = `u${randomUUID().slice(0, 12)}@example.com`;
  return {
    params: { id: await registerUser(t.db, { email, name: 'Sam Seller', roles: ['seller'], emailProven: true }) },
  };
};
export const toBuyer = (what: (scene: Scene) => string): Row['shows'] => ({ what, to: ['buyer'] });
