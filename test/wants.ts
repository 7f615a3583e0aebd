// Wants of readers, made as the page makes them, and offered as the shop does by itself.
import { randomUUID } from 'node:crypto';
import { putWant, type Want, type WantDraft } from '#contract/wants/wants.ts';
import { offerCopies } from '#server/wants/offers.service.ts';
import type { TestApp } from './app.ts';
import type { TestUser } from './make.ts';

export const RULES = { firstRefusalMinutes: 60, holdMinutes: 30, shopTimeZone: 'UTC' } as const;

/** Makes a want. */
export const aWant = async (t: TestApp, reader: TestUser, draft: WantDraft): Promise<Want> => {
  const { status, body } = await t.call(putWant, { params: { id: randomUUID() }, body: draft }, { as: reader });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

/** Offers what was set aside; answers how many were offered. */
export const offerAll = (t: TestApp): Promise<number> =>
  offerCopies(t.payments.db, RULES, (error) => {
    throw error;
  });
