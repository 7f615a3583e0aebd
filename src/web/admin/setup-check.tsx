import { useState } from 'react';
import { checkSetup, type SetupCheck as Check, type SetupFinding } from '#contract/money/setup-check.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { CheckIcon, WarningIcon } from '#web/ui/icons.tsx';
import { Section } from './money-parts.tsx';

const LOOKS: Record<SetupFinding['state'], readonly [word: string, look: string]> = {
  ok: ['Works', 'text-success'],
  advice: ['To consider', 'text-warning'],
  refused: ['Refused', 'text-error'],
};

const Finding = ({ what, state, says, words }: SetupFinding) => {
  const [word, look] = LOOKS[state];
  const Icon = state === 'ok' ? CheckIcon : WarningIcon;
  return (
    <li className="flex gap-3">
      <Icon className={classes('mt-0.5 size-5 shrink-0', look)} />
      <div className="min-w-0">
        <p className="font-semibold">
          {what} <span className={classes('text-sm font-normal', look)}>{word}</span>
        </p>
        <p className="wrap-anywhere">{says}</p>
        {words !== '' && <p className="wrap-anywhere text-muted">Stripe says: “{words}”</p>}
      </div>
    </li>
  );
};

/** Whether sellers can be paid through Stripe, tried on a press. */
export const SetupCheck = () => {
  const [check, setCheck] = useState<Check>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setCheck(await call(checkSetup, {}));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section id="setup-check" title="Paying sellers through Stripe">
      <p className="mb-3 max-w-prose text-muted">
        Stripe may have to enable accounts for sellers, or approve of the shop. This tries it with an account that is
        nobody’s, and shows what Stripe says.
      </p>
      <Button look="secondary" busy={busy} onClick={() => void press()}>
        Check the setup
      </Button>
      <div aria-live="polite">
        {failure !== undefined && <p className="mt-3 text-error">{failure}</p>}
        {check !== undefined && (
          <>
            <ul className="mt-4 flex flex-col gap-3 rounded-box border border-base-300 bg-base-100 p-4">
              {check.findings.map((finding) => (
                <Finding key={finding.what} {...finding} />
              ))}
            </ul>
            <p className="mt-2 text-sm text-muted">
              Checked <Time at={check.checkedAt} as="moment" />
            </p>
          </>
        )}
      </div>
    </Section>
  );
};
