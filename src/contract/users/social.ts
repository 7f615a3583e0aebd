import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Email, IsoTime } from '#contract/scalars.ts';

/** The services one can sign in with. */
export const PROVIDERS = ['google', 'github'] as const;
export const Provider = Type.Union([Type.Literal('google'), Type.Literal('github')]);
export type Provider = Static<typeof Provider>;

/** Their names, as the buttons have them. */
export const PROVIDER_NAMES = { google: 'Google', github: 'Github' } as const satisfies Record<Provider, string>;

/** What is said after a sign-in and after a sign-up, to the letter. */
export const SOCIAL_NOTICES = {
  google: { 'signed-in': 'Google Sign In!', 'signed-up': 'Google Sign Up!' },
  github: { 'signed-in': 'Github Sign In!', 'signed-up': 'github Sign Up!' },
} as const satisfies Record<Provider, Record<'signed-in' | 'signed-up', string>>;

/** How the way to a service and back can end well. */
export const SOCIAL_SUCCESSES = ['signed-in', 'signed-up', 'linked'] as const;
export type SocialSuccess = (typeof SOCIAL_SUCCESSES)[number];

/**
 * How it can fail:
 * - `denied`: the user, or whoever rules over their account there, said no
 * - `unverified`: the service does not vouch for the address
 * - `down`, `slow`: the service did not answer, or not in time
 * - `unusable`: what it answered failed a check, or made no sense
 * - `lost`: started in another browser, too long ago, or finished already
 * - `unproven`: an account of that address exists, and nobody has proven yet whose it is
 * - `deleted`: the account was deleted
 * - `other-linked`: the account is linked to another account of that service
 * - `taken`: that account of the service opens another account here
 * - `other-person`: somebody else than who is signed in
 * - `signed-out`: nobody is signed in any more
 * - `too-many`: too many attempts from one network
 * - `closed`: not set up in this shop
 * - `unavailable`: the shop itself could not
 */
export const SOCIAL_FAILURES = [
  'denied',
  'unverified',
  'down',
  'slow',
  'unusable',
  'lost',
  'unproven',
  'deleted',
  'other-linked',
  'taken',
  'other-person',
  'signed-out',
  'too-many',
  'closed',
  'unavailable',
] as const;
export type SocialFailure = (typeof SOCIAL_FAILURES)[number];
export type SocialOutcome = SocialSuccess | SocialFailure;

/** The page of the shop where every way back from a service ends: it tells whoever waits, or leads on. */
export const SOCIAL_RETURN_PATH = '/login/done';

/** Pages that send users to a service, and show what came of it. */
export const SocialPage = Type.Union([Type.Literal('login'), Type.Literal('register'), Type.Literal('account')]);
export type SocialPage = Static<typeof SocialPage>;

const Way = Type.Object({
  provider: Provider,
  /** Whether the shop is set up for it. */
  open: Type.Boolean(),
  /** Whether a stand-in plays the service. */
  standin: Type.Boolean(),
});

/** Facts about the shop, the same for everyone. */
export const listProviders = endpoint({
  method: 'GET',
  path: '/auth/providers',
  summary: 'Which services one can sign in with',
  access: 'anyone',
  status: 200,
  answer: Type.Array(Way),
  personal: false,
});
export type SignInWay = Static<typeof Way>;

/** What the way back needs to know; `from` is only ever followed by the page that checks it. */
const StartQuery = Type.Object({
  page: Type.Optional(SocialPage),
  from: Type.Optional(Type.String({ maxLength: 2_000 })),
  popup: Type.Optional(Type.Literal('1')),
  again: Type.Optional(Type.Literal('1', { description: 'the person who is signed in proves again who they are' })),
});

const startAt = (provider: Provider) =>
  endpoint({
    method: 'GET',
    path: `/auth/${provider}`,
    summary: `Leads to ${PROVIDER_NAMES[provider]} to sign in or up there`,
    access: 'anyone, from a page of the shop',
    query: StartQuery,
    status: 303,
    answer: Type.Null(),
    personal: true,
  });

/** What services add to the address of the callback (RFC 6749, RFC 9207); anything else is left out. */
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_000 })),
  state: Type.Optional(Type.String({ maxLength: 200 })),
  iss: Type.Optional(Type.String({ maxLength: 500 })),
  error: Type.Optional(Type.String({ maxLength: 500 })),
  error_description: Type.Optional(Type.String({ maxLength: 2_000 })),
});
export type CallbackQuery = Static<typeof CallbackQuery>;

const callbackAt = (provider: Provider) =>
  endpoint({
    method: 'GET',
    path: `/auth/${provider}/callback`,
    summary: `Where ${PROVIDER_NAMES[provider]} sends people back to`,
    access: 'the browser that was sent there, once, within ten minutes',
    query: CallbackQuery,
    status: 303,
    answer: Type.Null(),
    personal: true,
  });

export const startGoogle = startAt('google');
export const startGithub = startAt('github');
/** One address a service, so that the answer of one is never taken for that of the other. */
export const googleCallback = callbackAt('google');
export const githubCallback = callbackAt('github');

const LinkParams = Type.Object({ provider: Provider });
const Link = Type.Object({ provider: Provider, email: Email, linkedAt: IsoTime });
export type Link = Static<typeof Link>;

export const listLinks = endpoint({
  method: 'GET',
  path: '/account/links',
  summary: 'The accounts at other services that open the account of the viewer',
  access: 'signed in',
  status: 200,
  answer: Type.Array(Link),
  personal: true,
});

/** 403 `fresh_sign_in_needed`, 403 while the address is not proven; 409 `already_exists` when one is linked. */
export const startLink = endpoint({
  method: 'POST',
  path: '/account/links/:provider',
  summary: 'Begins to link an account at another service; answers where to send the browser',
  access: 'signed in within the last 15 minutes',
  params: LinkParams,
  body: Type.Object({ popup: Type.Boolean() }),
  status: 200,
  answer: Type.Object({ location: Type.String() }),
  refused: { location: '' },
  personal: true,
});

/** 403 `fresh_sign_in_needed`; 409 `last_way_in` when it is the only way to sign in. */
export const unlink = endpoint({
  method: 'DELETE',
  path: '/account/links/:provider',
  summary: 'Unlinks an account at another service, unless it is the only way to sign in',
  access: 'signed in within the last 15 minutes',
  params: LinkParams,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});
