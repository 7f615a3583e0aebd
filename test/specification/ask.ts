// Calls of the API as the specification writes them, without the contract of the product.
import type { LightMyRequestResponse } from 'fastify';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Credential, TestApp } from '#test/app.ts';
import type { TestUser } from '#test/make.ts';

/** The proof that the specification names: a bearer token, and no cookie. */
export const by = ({ accessToken }: TestUser): Credential => ({ accessToken });

export const callsOf = (t: TestApp) => {
  const ask = (method: string, path: string, as?: Credential, body?: unknown): Promise<LightMyRequestResponse> =>
    t.send(method, `/api${path}`, { as, body });
  return {
    ask,
    /** The statuses that several people meet one after the other; undefined is a visitor. */
    statuses: async (
      method: string,
      path: string,
      people: readonly (TestUser | undefined)[],
      body?: unknown,
    ): Promise<number[]> => {
      const found: number[] = [];
      for (const person of people) found.push((await ask(method, path, person && by(person), body)).statusCode);
      return found;
    },
  };
};

export const aName = (): string => `n-${randomUUID()}`;

/** The rows of an answer that must be a list. */
export const rowsOf = (answer: LightMyRequestResponse): Record<string, unknown>[] => {
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
