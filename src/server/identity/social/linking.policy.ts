import type { SocialFailure } from '#contract/users/social.ts';

interface Holder {
  readonly isDeleted: boolean;
  readonly emailProvenAt: Date | null;
  readonly hasOther: boolean;
}

/**
 * Why an account of a service may not open the account of `holder` from now on; undefined when it may. Whoever made an
 * account with an address that is not theirs could otherwise wait for its owner (docs/decisions/006-linking.md); and an
 * address that went to somebody new comes with another account of the same service.
 */
export const linkRefusal = (holder: Holder): SocialFailure | undefined => {
  if (holder.isDeleted) return 'deleted';
  if (holder.emailProvenAt === null) return 'unproven';
  return holder.hasOther ? 'other-linked' : undefined;
};
