import { useState, type SyntheticEvent } from 'react';
import { countriesByName } from '#contract/delivery/countries.ts';
import { linkPayoutAccount, openPayoutAccount, type PayoutAccount } from '#contract/money/payouts.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { ownCountry } from '#web/selling/delivery/delivery-form.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/field.tsx';
import { Notice, type NoticeTone } from '#web/ui/states.tsx';

const TONES: Readonly<Record<PayoutAccount['status'], NoticeTone>> = {
  none: 'info',
  pending: 'info',
  active: 'success',
  restricted: 'warning',
};

const TITLES: Readonly<Record<PayoutAccount['status'], string>> = {
  none: 'Say where you want to be paid',
  pending: 'Not ready yet',
  active: 'Payouts come by themselves',
  restricted: 'Payouts are paused',
};

const Requirements = ({ list }: { list: PayoutAccount['requirements'] }) => (
  <ul className="mt-2 list-disc pl-5">
    {list.map(({ what, problem, dueBy, isYours }) => (
      <li key={what}>
        {what}
        {problem !== '' && `: ${problem.replace(/\.$/, '')}`}
        {!isYours && ' (being looked at, there is nothing to do)'}
        {dueBy !== null && (
          <>
            {' '}
            (until <Time at={dueBy} as="date" />)
          </>
        )}
      </li>
    ))}
  </ul>
);

/** What is asked for an address, at which the document goes on. */
const useGoing = (ask: () => Promise<{ url: string }>) => {
  const [isGoing, setGoing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const go = async (): Promise<void> => {
    setFailure(undefined);
    setGoing(true);
    try {
      window.location.assign((await ask()).url);
    } catch (error) {
      setFailure(messageOf(error));
      setGoing(false);
    }
  };
  return { isGoing, failure, go };
};

/** Where a seller is paid: beginning, going on, and the provider's own pages. */
export const PayoutPlace = ({ account }: { account: PayoutAccount }) => {
  const { status, says, requirements } = account;
  const [country, setCountry] = useState(() => account.country ?? ownCountry(navigator.languages));
  const isNew = status === 'none';
  const setup = useGoing(() => call(linkPayoutAccount, { body: isNew ? { country } : {} }));
  const own = useGoing(() => call(openPayoutAccount, {}));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void setup.go();
  };
  const failure = setup.failure ?? own.failure;
  return (
    <section aria-label="Where you are paid" className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <Notice tone={TONES[status]} title={TITLES[status]}>
        {says}
        {requirements.length > 0 && <Requirements list={requirements} />}
      </Notice>
      <div className="mt-5 flex flex-col items-start gap-4">
        {status === 'active' && requirements.length === 0 ? null : (
          <form onSubmit={submit} className="flex w-full max-w-md flex-col gap-4" aria-label="Payouts">
            {isNew && (
              <Select
                label="Country of your bank account"
                hint="It cannot be changed later."
                autoComplete="country"
                value={country}
                onChange={(event) => setCountry(event.target.value)}
              >
                {countriesByName().map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
            <Button type="submit" busy={setup.isGoing} className="self-start">
              {isNew ? 'Set up payouts at Stripe' : 'Go on at Stripe'}
            </Button>
          </form>
        )}
        {!isNew && (
          <Button look="secondary" busy={own.isGoing} onClick={() => void own.go()}>
            Open your pages at Stripe
          </Button>
        )}
        <p role="alert" className="text-error empty:hidden">
          {failure}
        </p>
        {isNew && (
          <p className="max-w-prose text-sm text-muted">
            Stripe asks who you are and for your bank account, and pays you once a week. Dogear never sees either.
          </p>
        )}
      </div>
    </section>
  );
};
