import { useState } from 'react';
import { Link, type MetaFunction } from 'react-router';
import { confirmAddress } from '#contract/users/mail-links.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { refreshSession } from '#web/api/session.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { AccountFrame } from './account-frame.tsx';
import { useLinkToken } from './link-token.ts';

export const meta: MetaFunction = () => [...pageMeta('Confirm your address'), { name: 'robots', content: 'noindex' }];

type Step = { at: 'asking' | 'sending' | 'done' | 'over' } | { at: 'failed'; why: string };

const Confirmed = () => {
  const session = useSession();
  return (
    <Notice
      tone="success"
      title="Thank you, your address is confirmed"
      action={
        session.status === 'in' ? (
          <Link to="/dashboard" className={buttonClass()}>
            To your dashboard
          </Link>
        ) : (
          <Link to="/login" className={buttonClass()}>
            Sign In
          </Link>
        )
      }
    >
      Everything in the shop is open to you now, selling too.
    </Notice>
  );
};

/** Where to get another link: the reminder in the dashboard sends one. */
const Over = ({ title, children }: { title: string; children: string }) => (
  <Notice
    tone="warning"
    title={title}
    action={
      <Link to="/dashboard" className={buttonClass('secondary')}>
        To your dashboard
      </Link>
    }
  >
    {children}
  </Notice>
);

const Confirm = () => {
  const token = useLinkToken();
  const [step, setStep] = useState<Step>({ at: 'asking' });
  const confirm = async (): Promise<void> => {
    setStep({ at: 'sending' });
    try {
      await call(confirmAddress, { body: { token: token ?? '' } });
      setStep({ at: 'done' });
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === 'link_over';
      return setStep(isOver ? { at: 'over' } : { at: 'failed', why: messageOf(error) });
    }
    // The reminder in the dashboard goes; should this fail, it goes with the next page.
    await refreshSession().catch(() => undefined);
  };
  const mayAsk = token !== '' && step.at !== 'done' && step.at !== 'over';
  return (
    <AccountFrame
      title="Confirm your address"
      words="Now we know where to write to you."
      turning={step.at === 'sending'}
      aside="One press, and it is done."
    >
      <div role="status" className="empty:-mb-6">
        {step.at === 'done' && <Confirmed />}
        {step.at === 'over' && (
          <Over title="This link does not work any more">
            It is older than 7 days, or it was never ours. The dashboard of your account sends you another one.
          </Over>
        )}
        {token === '' && (
          <Over title="This address is not complete">
            Please open the link in the mail once more, all of it. The dashboard of your account sends you another one.
          </Over>
        )}
      </div>
      {step.at === 'failed' && <Notice tone="error">{step.why}</Notice>}
      {mayAsk && (
        <div className="flex flex-col gap-5">
          <p>
            You made an account at Dogear with the address that our mail came to. Confirm that it is yours, so that you
            can sell here too and get your account back should you ever lose its password.
          </p>
          <Button busy={step.at === 'sending'} disabled={token === undefined} onClick={() => void confirm()}>
            {step.at === 'sending' ? 'Confirming…' : 'Yes, this address is mine'}
          </Button>
          <p className="text-sm text-muted">
            If you did not make an account, close this page. Somebody mistyped an address, and nothing comes of it
            without your word.
          </p>
        </div>
      )}
    </AccountFrame>
  );
};
export default Confirm;
