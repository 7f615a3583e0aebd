import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { renewRecoveryCodes, type Account } from '#contract/users/account.ts';
import { formatDate } from '#contract/time.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { knowsPasskeys } from '#web/shell/sign-in/passkey-browser.ts';
import { PasskeyDialog, type PasskeyChange } from './passkey-dialogs.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { Section, SectionList, SectionRow } from '#web/account/profile/section.tsx';
import { agoWords } from '#web/account/profile/time-words.ts';

const leftWords = (left: number): string => {
  if (left === 0) return 'You have none left. Make new ones, so that a lost passkey does not lock you out.';
  return `${left === 1 ? 'One is' : `${left} are`} left. New ones take the place of the old.`;
};

const RecoveryCodes = ({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const renew = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { recoveryCodes } = await withFreshSignIn(() => call(renewRecoveryCodes, {}));
      onCodes(recoveryCodes);
      await revalidate();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <div>
        <h3 className="font-semibold">Recovery codes</h3>
        <p className="text-sm text-muted">{leftWords(left)}</p>
      </div>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <Button look="secondary" size="sm" busy={busy} onClick={() => void renew()}>
        Make new recovery codes
      </Button>
    </div>
  );
};

/** Passkeys: add, name and remove them; and the codes that stand in for a lost one. */
export const PasskeysSection = ({ account, nowMs }: { account: Account; nowMs: number }) => {
  const { revalidate } = useRevalidator();
  const [change, setChange] = useState<PasskeyChange>();
  const [codes, setCodes] = useState<string[]>();
  const { passkeys } = account;
  const known = knowsPasskeys();
  const timeZone = useTimeZone();
  return (
    <Section title="Passkeys" about="Sign in with your finger, face or PIN, without a password.">
      {passkeys.length > 0 && (
        <SectionList label="Your passkeys">
          {passkeys.map((passkey) => (
            <SectionRow
              key={passkey._id}
              title={passkey.name}
              about={`Added ${formatDate(passkey.addedAt, timeZone)}, ${
                passkey.lastUsedAt === null ? 'not used yet' : `used ${agoWords(passkey.lastUsedAt, nowMs, timeZone)}`
              }`}
            >
              <Button look="quiet" size="sm" onClick={() => setChange({ kind: 'rename', passkey })}>
                Rename<span className="sr-only"> {passkey.name}</span>
              </Button>
              <Button look="quiet-danger" size="sm" onClick={() => setChange({ kind: 'remove', passkey })}>
                Remove<span className="sr-only"> {passkey.name}</span>
              </Button>
            </SectionRow>
          ))}
        </SectionList>
      )}
      {!account.emailProven && (
        <Notice title="Confirm your email address first">
          The welcome mail has the link. A passkey stays with the address it was added to.
        </Notice>
      )}
      {account.emailProven && !known && (
        <Notice title="This browser does not know passkeys here">
          Open the shop in a current browser, under its https address.
        </Notice>
      )}
      {account.emailProven && known && (
        <Button look="secondary" className="self-start" onClick={() => setChange({ kind: 'add' })}>
          Add a passkey
        </Button>
      )}
      {passkeys.length > 0 && <RecoveryCodes left={account.recoveryCodesLeft} onCodes={setCodes} />}
      <PasskeyDialog
        change={change}
        onAdded={(fresh) => {
          setCodes(fresh);
          void revalidate();
        }}
        onChanged={() => void revalidate()}
        onClose={() => setChange(undefined)}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  );
};
