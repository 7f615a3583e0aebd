import { useState } from 'react';
import { sendConfirmation } from '#contract/users/mail-links.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { refreshSession } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { useSession } from '#web/shell/data/use-session.ts';

type Step = { at: 'idle' | 'sending' } | { at: 'sent'; mailbox: string | null } | { at: 'failed'; why: string };

/** Reminds somebody, quietly, that their address is not confirmed yet, and sends the link again. */
export const AddressReminder = () => {
  const session = useSession();
  const [step, setStep] = useState<Step>({ at: 'idle' });
  if (session.status !== 'in' || session.user.emailProven) return null;
  const send = async (): Promise<void> => {
    setStep({ at: 'sending' });
    try {
      const { sent, mailbox } = await call(sendConfirmation, {});
      // Confirmed meanwhile, elsewhere: the reminder goes.
      if (!sent) await refreshSession();
      setStep({ at: 'sent', mailbox });
    } catch (error) {
      setStep({ at: 'failed', why: messageOf(error) });
    }
  };
  return (
    <section aria-label="Your address" className="mb-6">
      <Notice
        title="Please confirm your email"
        action={
          <Button look="secondary" size="sm" busy={step.at === 'sending'} onClick={() => void send()}>
            {step.at === 'sending' ? 'Sending…' : 'Send it again'}
          </Button>
        }
      >
        We mailed a link to <strong>{session.user.email}</strong>. Open it to confirm that the address is yours: then
        you can write to sellers.
        <div role="status">
          {step.at === 'sent' && (
            <p className="mt-2">
              Another link is on its way.
              {step.mailbox !== null && (
                <>
                  {' '}
                  This demo shop keeps its mail in{' '}
                  <a href={step.mailbox} rel="external" className="text-link">
                    its own mailbox
                  </a>
                  .
                </>
              )}
            </p>
          )}
          {step.at === 'failed' && <p className="mt-2 text-error">{step.why}</p>}
        </div>
      </Notice>
    </section>
  );
};
