import { useState } from 'react';
import { countryName } from '#contract/delivery/countries.ts';
import type { BankDetails } from '#contract/money/by-hand.ts';
import { ReauthenticationDialog } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { BankDetailsForm } from './bank-details-form.tsx';

type Known = NonNullable<BankDetails['details']>;

const kindWords = ({ kind, accountType }: Known): string => {
  if (kind === 'iban') return 'IBAN';
  return accountType === 'savings' ? 'Savings account' : 'Checking account';
};

const Account = ({ details }: { details: Known }) => (
  <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
    <dt className="text-sm text-muted sm:pt-0.5">{kindWords(details)}</dt>
    <dd className="font-semibold tabular-nums">{details.shown}</dd>
    <dt className="text-sm text-muted sm:pt-0.5">Name</dt>
    <dd dir="auto" className="font-semibold wrap-anywhere">
      {details.holder}
    </dd>
    <dt className="text-sm text-muted sm:pt-0.5">Country</dt>
    <dd className="font-semibold">{countryName(details.country)}</dd>
    <dt className="text-sm text-muted sm:pt-0.5">Entered</dt>
    <dd className="font-semibold">
      <Time at={details.enteredAt} as="date" />
    </dd>
  </dl>
);

const Standing = ({ bank: { details, pausedUntil, locked } }: { bank: BankDetails }) => {
  if (locked !== null) {
    return (
      <Notice tone="warning" title="Please enter your bank details anew">
        Your bank sent a payout back: “{locked}”. Nothing is paid out until you have entered them; what you are due
        stays yours.
      </Notice>
    );
  }
  if (details === null) {
    return (
      <Notice title="Say where you want to be paid">
        The shop sends what you are due to your bank account. Enter it below.
      </Notice>
    );
  }
  if (pausedUntil !== null) {
    return (
      <Notice title="Payouts pause for now">
        They pause until <Time at={pausedUntil} as="deadline" />, because your bank details were changed. If that was
        not you, change your password and tell us before then.
      </Notice>
    );
  }
  return (
    <Notice tone="success" title="Payouts come to your bank account">
      The shop sends what you are due together with that of other sellers; a mail tells you when it is on its way.
    </Notice>
  );
};

/** Where a seller is paid by hand: the account as far as it is shown, and the form for another one. */
export const BankPlace = ({ bank, hasPassword }: { bank: BankDetails; hasPassword: boolean }) => {
  const { details, locked } = bank;
  const [isChanging, setChanging] = useState(false);
  const isNeeded = details === null || locked !== null;
  const isTyping = isNeeded || isChanging;
  const place = useKeptFocus<HTMLElement>(isTyping);
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Where you are paid"
      className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7"
    >
      <Standing bank={bank} />
      <div className="mt-5 flex flex-col items-start gap-5">
        {details !== null && <Account details={details} />}
        {isTyping ? (
          <BankDetailsForm hasPassword={hasPassword} onClose={isNeeded ? undefined : () => setChanging(false)} />
        ) : (
          <Button look="secondary" onClick={() => setChanging(true)}>
            Change bank details
          </Button>
        )}
        <p className="max-w-prose text-sm text-muted">
          The numbers are kept encrypted. Nobody sees more of them than the last digits, and the shop’s bank.
        </p>
      </div>
      <ReauthenticationDialog />
    </section>
  );
};
