import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { aVisitor, type Visitor } from './visitor.ts';
import { aPicture, digestOf } from '#test/photos.ts';

/** The people of the demo shop that have a password. */
export type Person = 'Buyer' | 'Seller' | 'Admin';

const addressOf = (who: Person): string => `${who.toLowerCase()}@example.com`;
const passwordOf = (who: Person): string => `${who}#2026`;

/** Fills in the form of the sign-in page, which is open, and sends it. */
export const fillSignIn = async (page: Page, who: Person): Promise<void> => {
  await page.getByLabel('Email').fill(addressOf(who));
  await page.getByLabel('Password', { exact: true }).fill(passwordOf(who));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
};

/** Signs in by hand, on the sign-in page. */
export const signIn = async (page: Page, who: Person): Promise<void> => {
  await page.goto('/login');
  await fillSignIn(page, who);
  await page.getByText('Sign In!').waitFor();
};

/** Begins anew with what a seller who is signed in left on the form of a listing. */
export const forgetDraft = async (page: Page, who: Person): Promise<void> => {
  const { request } = page.context();
  const token = await request.get(`/api/jwt?email=${encodeURIComponent(addressOf(who))}`);
  const { accessToken } = (await token.json()) as { accessToken: string };
  const gone = await request.delete('/api/listing-draft', { headers: { authorization: `Bearer ${accessToken}` } });
  if (!gone.ok()) throw new Error(`the draft stays: ${gone.status()}`);
};

/** Somebody with a browser window who is signed in already, and can also call the API without it. */
export interface Member extends Visitor {
  /** Calls the API as this person; throws unless it succeeds. */
  call<Answer>(method: string, path: string, data?: object): Promise<Answer>;
  /** Uploads a picture that nobody else has; answers the photo's id. */
  photo(): Promise<string>;
}

/** Opens a window for whoever has these, signed in without the form. */
export const memberWith = async (
  browser: Browser,
  url: string,
  credentials: { email: string; password: string },
  options: Parameters<typeof aVisitor>[2] = {},
): Promise<Member> => {
  const visitor = await aVisitor(browser, url, options);
  const { request } = visitor.context;
  const send = async <Answer>(method: string, path: string, more: object): Promise<Answer> => {
    const answer = await request.fetch(`/api${path}`, { method, ...more });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  await send('POST', '/auth/sign-in', { data: credentials, headers: { origin: url } });
  const { accessToken } = await send<{ accessToken: string }>('GET', `/jwt?email=${credentials.email}`, {});
  const headers = { authorization: `Bearer ${accessToken}`, origin: url };
  const photo = async (): Promise<string> => {
    const [id, data] = [randomUUID(), await aPicture(600, 800)];
    const more = { 'content-type': 'image/jpeg', 'content-digest': digestOf(data) };
    await send('PUT', `/photos/${id}`, { data, headers: { ...headers, ...more } });
    return id;
  };
  return { ...visitor, photo, call: (method, path, data) => send(method, path, { headers, ...(data && { data }) }) };
};

/** Opens a window for `who`, signed in without the form. */
export const aMember = (
  browser: Browser,
  url: string,
  who: Person,
  options: Parameters<typeof aVisitor>[2] = {},
): Promise<Member> => memberWith(browser, url, { email: addressOf(who), password: passwordOf(who) }, options);
