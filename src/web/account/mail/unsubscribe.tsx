import { useEffect, useState } from 'react';
import { Link, type MetaFunction } from 'react-router';
import { chooseMailByLink, readMailChoicesByLink, type MailChoices } from '#contract/notices/notices.ts';
import { CHOSEN_TOPICS } from '#contract/notices/topics.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { AccountFrame } from '#web/account/sign-in/account-frame.tsx';
import { useLinkToken } from '#web/account/sign-in/link-token.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';
import { TopicChoices } from './topic-choices.tsx';

export const meta: MetaFunction = () => [...pageMeta('What is mailed to you'), { name: 'robots', content: 'noindex' }];

type Choices = MailChoices['notMailed'];
type Step = { at: 'asking' | 'over' | 'choosing' | 'saving' | 'saved' } | { at: 'failed'; why: string };

const TOKEN = /^[0-9a-f]{64}$/;

/** What is mailed, by the link of a mail: nobody has to sign in to be left alone. */
const Unsubscribe = () => {
  const token = useLinkToken();
  const [notMailed, setNotMailed] = useState<Choices>([]);
  const [step, setStep] = useState<Step>({ at: 'asking' });

  useEffect(() => {
    if (token === undefined) return;
    const ask = async (): Promise<void> => {
      if (!TOKEN.test(token)) return setStep({ at: 'over' });
      try {
        setNotMailed((await call(readMailChoicesByLink, { body: { token } })).notMailed);
        setStep({ at: 'choosing' });
      } catch (error) {
        setStep(
          error instanceof ApiError && error.status === 404 ? { at: 'over' } : { at: 'failed', why: messageOf(error) },
        );
      }
    };
    void ask();
  }, [token]);

  const save = async (chosen: Choices): Promise<void> => {
    setNotMailed(chosen);
    setStep({ at: 'saving' });
    try {
      await call(chooseMailByLink, { body: { token: token ?? '', notMailed: chosen } });
      setStep({ at: 'saved' });
    } catch (error) {
      setStep({ at: 'failed', why: messageOf(error) });
    }
  };

  const isKnown = step.at !== 'asking' && step.at !== 'over';
  return (
    <AccountFrame
      title="What is mailed to you"
      words="As much mail as you want, and no more."
      turning={step.at === 'saving'}
      aside="Untick what you do not want to have mailed."
    >
      {step.at === 'asking' && <SkeletonRows rows={3} label="Loading your choices" />}
      {step.at === 'over' && (
        <Notice
          tone="warning"
          title="This link does not work any more"
          action={
            <Link to="/dashboard/account#mail" className={buttonClass('secondary')}>
              To your account
            </Link>
          }
        >
          It is not complete, or its account is gone. You can choose what is mailed on your account page.
        </Notice>
      )}
      {isKnown && (
        <>
          <TopicChoices
            notMailed={notMailed}
            disabled={step.at === 'saving'}
            onChange={(chosen) => {
              setNotMailed(chosen);
              setStep({ at: 'choosing' });
            }}
          />
          <div className="flex flex-wrap gap-3">
            <Button busy={step.at === 'saving'} onClick={() => void save([...notMailed])}>
              Save
            </Button>
            <Button
              look="secondary"
              disabled={step.at === 'saving'}
              onClick={() => void save(CHOSEN_TOPICS.map(({ id }) => id))}
            >
              Mail me none of these
            </Button>
          </div>
        </>
      )}
      <div role="status">
        {step.at === 'saved' && (
          <Notice tone="success" title="Saved">
            {notMailed.length === 0 ? 'All of it is mailed to you.' : 'What you unticked stands in your notices alone.'}
          </Notice>
        )}
      </div>
      {step.at === 'failed' && <Notice tone="error">{step.why}</Notice>}
    </AccountFrame>
  );
};
export default Unsubscribe;
