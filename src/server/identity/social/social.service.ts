import type { Provider, SocialOutcome, SocialPage } from '#contract/users/social.ts';
import { takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import { networkOf } from '#server/identity/sessions/client-network.ts';
import { startSession, type StartedSession } from '#server/identity/sessions/sessions.service.ts';
import { welcomeUser } from '#server/identity/mail-links/confirmation.service.ts';
import { isSessionThere } from '#server/identity/sessions/sessions.queries.ts';
import { insertUser, selectUserById, type User } from '#server/identity/users/users.queries.ts';
import type { Config } from '#server/platform/config.ts';
import { isDuplicate, type Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { acceptTerms } from '#server/law/declaring.service.ts';
import type { SignedIn, Viewer } from '#server/platform/viewer.ts';
import {
  beginFlow,
  endFlow,
  identify,
  returnUrl,
  type CallbackAnswer,
  type Flow,
  type SocialDeps,
  type WayCookie,
} from './flow.service.ts';
import {
  givePhoto,
  insertIdentity,
  lockHolder,
  lockHolderOfAddress,
  selectHolderOfIdentity,
} from './identities.queries.ts';
import { linkRefusal } from './linking.policy.ts';
import { SocialRefusal, type SocialProfile } from './provider.ts';

/** Each start leaves a row for ten minutes; a demo is for trying, also by scripts. */
const startLimit = (mode: Config['mode']): AttemptLimit => ({
  kind: 'social sign-in',
  attempts: mode === 'production' ? 120 : 10_000,
  windowSeconds: 60 * 60,
  windowFrom: 'first',
});

/** Told of what ended without anybody signed in: `SocialRefusal`s are expected, anything else is a defect. */
type Report = (error: unknown) => void;

/** Asks whose session the browser has. */
type WhoIs = () => Promise<Viewer>;

const failureOf = (error: unknown): SocialOutcome => (error instanceof SocialRefusal ? error.failure : 'unavailable');

export interface StartInput {
  readonly provider: Provider;
  readonly page: SocialPage;
  readonly from: string;
  readonly popup: boolean;
  /** The user who is signed in proves again who they are. */
  readonly again: boolean;
  readonly ip: string;
  /** What the browser's way cookie holds. */
  readonly browser: string | undefined;
}

/**
 * Begins a sign-in or sign-up at a service; answers where the browser goes: there, or to the page that says why not.
 */
export const startSignIn = async (
  deps: SocialDeps,
  whoIs: WhoIs,
  input: StartInput,
  report: Report,
): Promise<{ location: string; cookie?: WayCookie }> => {
  const flow = { page: input.page, inPopup: input.popup, returnPath: input.from };
  try {
    const attempt = await takeAttempt(deps.db, startLimit(deps.config.mode), networkOf(input.ip));
    if (!attempt.allowed) throw new SocialRefusal('too-many', 'too many starts from one network');
    if (!input.again) {
      return await beginFlow(deps, input.provider, { ...flow, purpose: 'sign-in', userId: null }, input.browser);
    }
    const viewer = await whoIs();
    if (viewer.kind === 'anonymous') throw new SocialRefusal('signed-out', 'nobody is signed in');
    return await beginFlow(deps, input.provider, { ...flow, purpose: 'again', userId: viewer.userId }, input.browser);
  } catch (error) {
    report(error);
    return { location: returnUrl(deps.config, input.provider, failureOf(error), flow) };
  }
};

/** Somebody else took the same account or address while we looked. */
class Outrun extends Error {}

const userOf = async (trx: Trx, userId: string): Promise<User> => {
  const user = await selectUserById(trx, userId);
  if (user === undefined) throw new SocialRefusal('deleted', 'the account was deleted');
  return user;
};

const join = async (trx: Trx, provider: Provider, profile: SocialProfile, userId: string): Promise<void> => {
  const { issuer, subject, email } = profile;
  await insertIdentity(trx, { issuer, subject, email, provider, userId });
  if (profile.photoUrl !== '') await givePhoto(trx, userId, profile.photoUrl);
};

const register = async (trx: Trx, provider: Provider, profile: SocialProfile): Promise<User> => {
  const { email, name } = profile;
  const newcomer = { email, name, passwordHash: null, roles: [], verified: false, emailProven: true };
  const user = await insertUser(trx, newcomer);
  if (user === undefined) throw new Outrun();
  await join(trx, provider, profile, user.id);
  await acceptTerms(trx, user.id, 'buyer');
  await welcomeUser(trx, user);
  return userOf(trx, user.id);
};

/** Whom the profile opens: who was linked to it, who has its address and has proven it, or somebody new. */
const findOrRegister = async (
  trx: Trx,
  provider: Provider,
  profile: SocialProfile,
): Promise<{ user: User; isNew: boolean }> => {
  const known = await selectHolderOfIdentity(trx, profile);
  if (known !== undefined) return { user: await userOf(trx, known.userId), isNew: false };
  const holder = await lockHolderOfAddress(trx, provider, profile.email);
  if (holder === undefined) return { user: await register(trx, provider, profile), isNew: true };
  // Between the two looks another window may have signed the same user up; while they are locked, nobody does.
  if ((await selectHolderOfIdentity(trx, profile)) !== undefined) throw new Outrun();
  const refusal = linkRefusal(holder);
  if (refusal !== undefined) throw new SocialRefusal(refusal, 'the address has an account');
  await join(trx, provider, profile, holder.userId);
  return { user: await userOf(trx, holder.userId), isNew: false };
};

const link = async (trx: Trx, provider: Provider, profile: SocialProfile, viewer: SignedIn): Promise<void> => {
  const { userId } = viewer;
  const holder = await lockHolder(trx, provider, userId);
  if (!(await isSessionThere(trx, viewer.sessionId))) throw new SocialRefusal('signed-out', 'the session is over');
  const known = await selectHolderOfIdentity(trx, profile);
  if (known?.userId === userId) return;
  if (known !== undefined) throw new SocialRefusal('taken', 'the account of the service opens another account');
  const refusal = holder === undefined ? 'deleted' : linkRefusal(holder);
  if (refusal !== undefined) throw new SocialRefusal(refusal, 'the account may not be linked');
  await join(trx, provider, profile, userId);
};

export interface FinishInput {
  readonly provider: Provider;
  readonly answer: CallbackAnswer;
  readonly browser: string | undefined;
  readonly userAgent: string;
  readonly replaces: string | undefined;
  readonly device: string | undefined;
}

interface Finished {
  readonly outcome: SocialOutcome;
  readonly session?: StartedSession;
}

const settle = async (
  { config }: SocialDeps,
  trx: Trx,
  viewer: Viewer,
  input: FinishInput & { flow: Flow; profile: SocialProfile },
): Promise<Finished> => {
  const { provider, flow, profile } = input;
  const way = { kind: provider, issuer: profile.issuer, subject: profile.subject };
  if (flow.purpose === 'sign-in') {
    const { user, isNew } = await findOrRegister(trx, provider, profile);
    const session = await startSession(trx, config, { ...input, user, way });
    return { outcome: isNew ? 'signed-up' : 'signed-in', session };
  }
  // Still the user it began with, in this very browser: a session that ended meanwhile changes nothing any more.
  if (viewer.kind === 'anonymous' || viewer.userId !== flow.userId) {
    throw new SocialRefusal('signed-out', 'the session it began in is over');
  }
  if (flow.purpose === 'link') {
    await link(trx, provider, profile, viewer);
    return { outcome: 'linked' };
  }
  const known = await selectHolderOfIdentity(trx, profile);
  if (known?.userId !== flow.userId) throw new SocialRefusal('other-person', 'not the account that is linked');
  const user = await userOf(trx, flow.userId);
  return { outcome: 'signed-in', session: await startSession(trx, config, { ...input, user, way }) };
};

const settleOnce = (
  deps: SocialDeps,
  viewer: Viewer,
  input: FinishInput & { flow: Flow; profile: SocialProfile },
): Promise<Finished> => deps.db.transaction().execute((trx) => settle(deps, trx, viewer, input));

const isOutrun = (error: unknown): boolean =>
  error instanceof Outrun ||
  isDuplicate(error, 'sign_in_identities_pkey') ||
  isDuplicate(error, 'sign_in_identities_one_a_provider');

/**
 * Ends what `startSignIn` or a link began, with what the service sent the browser back with; answers the page to go to,
 * and the session where somebody is signed in now. It never throws: whoever waits is told on the page they came from.
 */
export const finishSignIn = async (
  deps: SocialDeps,
  whoIs: WhoIs,
  input: FinishInput,
  report: Report,
): Promise<{ location: string; session?: StartedSession | undefined }> => {
  let flow: Flow | undefined;
  try {
    const ended = await endFlow(deps.db, input.provider, input.answer, input.browser);
    flow = ended.flow;
    const profile = await identify(deps, input.provider, input.answer, ended);
    const settling = { ...input, flow, profile };
    const viewer = await whoIs();
    const { outcome, session } = await settleOnce(deps, viewer, settling).catch((error: unknown) => {
      // Of two first sign-ins at once the second one finds what the first one made.
      if (isOutrun(error)) return settleOnce(deps, viewer, settling);
      if (!(error instanceof AppError)) throw error;
      throw new SocialRefusal('lost', 'the account was deleted, or unlinked from the service, meanwhile', {
        cause: error,
      });
    });
    return { location: returnUrl(deps.config, input.provider, outcome, flow), session };
  } catch (error) {
    report(error);
    return { location: returnUrl(deps.config, input.provider, failureOf(error), flow) };
  }
};
