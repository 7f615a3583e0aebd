import { useId } from 'react';
import { useRouteLoaderData } from 'react-router';
import { PROVIDER_NAMES, PROVIDERS, type Provider, type SignInWay } from '#contract/users/social.ts';
import type { RootData } from '#web/shell/layout/page-meta.ts';
import { useHydrated } from '#web/shell/data/use-hydrated.ts';
import { Button } from '#web/ui/button.tsx';
import { Or } from '#web/ui/or.tsx';
import { Notice } from '#web/ui/states.tsx';
import { SERVICE_ICONS } from './service-icons.tsx';
import type { Social } from './use-social.ts';

interface Props {
  what: 'sign-in' | 'sign-up';
  social: Social;
  /** Which services the shop is set up for; undefined where that could not be learned. */
  ways: readonly SignInWay[] | undefined;
  /** They follow another way in; true unless they are the first. */
  after?: boolean;
}

const namesOf = (providers: readonly Provider[]): string =>
  providers.map((provider) => PROVIDER_NAMES[provider]).join(' and ');

/** The address people are sent back to; another one of the same shop would not know them there. */
const useOtherAddress = (): string | undefined => {
  const origin = useRouteLoaderData<RootData>('root')?.origin;
  const hydrated = useHydrated();
  return hydrated && origin !== undefined && origin !== location.origin ? origin : undefined;
};

const Reason = ({ id, what, closed, otherAddress }: ReasonProps) => {
  if (otherAddress !== undefined) {
    return (
      <p id={id} className="text-center text-sm text-balance text-muted">
        Google and Github send you back to {otherAddress}: please{' '}
        <a href={otherAddress} rel="external" className="text-link">
          open the shop there
        </a>{' '}
        to use them.
      </p>
    );
  }
  if (closed.length === 0) return null;
  return (
    <p id={id} className="text-center text-sm text-balance text-muted">
      {namesOf(closed)} {what} {closed.length > 1 ? 'are' : 'is'} not set up in this shop. Please use your email and a
      password.
    </p>
  );
};

interface ReasonProps {
  id: string;
  what: string;
  closed: readonly Provider[];
  otherAddress: string | undefined;
}

/** The ways in through other services, what became of the last try, and why a way is closed. */
export const SocialButtons = ({ what, social, ways, after = true }: Props) => {
  const reasonId = useId();
  const hydrated = useHydrated();
  const otherAddress = useOtherAddress();
  const wayOf = (provider: Provider): SignInWay | undefined => ways?.find((way) => way.provider === provider);
  const closed = PROVIDERS.filter((provider) => wayOf(provider)?.open === false);
  const standins = PROVIDERS.filter((provider) => wayOf(provider)?.standin === true);
  return (
    <section className="flex flex-col gap-3" aria-label={`${what} with another account`}>
      {after && <Or />}
      {social.failure !== undefined && <Notice tone="error">{social.failure}</Notice>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(6.5rem,100%),1fr))] gap-3">
        {PROVIDERS.map((provider) => {
          const Icon = SERVICE_ICONS[provider];
          const isClosed = closed.includes(provider) || otherAddress !== undefined;
          return (
            <Button
              key={provider}
              look="secondary"
              busy={social.busy === provider}
              disabled={!hydrated || isClosed}
              aria-describedby={isClosed ? reasonId : undefined}
              onClick={() => social.press(provider)}
            >
              {social.busy !== provider && <Icon />}
              {PROVIDER_NAMES[provider]}
            </Button>
          );
        })}
      </div>
      <div role="status" className="text-center text-sm text-balance text-muted empty:-mt-3">
        {social.busy !== undefined && social.inWindow && (
          <p>
            Go on in the window of {PROVIDER_NAMES[social.busy]}.{' '}
            <button type="button" className="text-link min-h-6" onClick={social.show}>
              Show it again
            </button>
          </p>
        )}
      </div>
      <Reason id={reasonId} what={what} closed={closed} otherAddress={otherAddress} />
      {standins.length > 0 && closed.length === 0 && otherAddress === undefined && (
        <p className="text-center text-sm text-balance text-muted">
          {namesOf(standins)} {standins.length > 1 ? 'are stand-ins' : 'is a stand-in'} in this demo: no account there
          is needed.
        </p>
      )}
    </section>
  );
};
