import type { Role, SessionUser } from '#contract/users/identity.ts';

let known: { readonly whose: string; readonly answers: Map<Role, Promise<boolean>> } | undefined;

/** The answers so far; none once another person is signed in, or the session's own roles have changed. */
export const answersFor = ({ uid, roles }: SessionUser): Map<Role, Promise<boolean>> => {
  const whose = [uid, ...roles].join(' ');
  if (known?.whose !== whose) known = { whose, answers: new Map() };
  return known.answers;
};

/** From now on the shop is asked again. */
export const forgetRoles = (): void => {
  known = undefined;
};
