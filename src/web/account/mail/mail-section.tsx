import { useState } from 'react';
import { Link } from 'react-router';
import { chooseMail, type MailChoices } from '#contract/notices/notices.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Section } from '#web/account/profile/section.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { TopicChoices } from './topic-choices.tsx';

/** What is mailed, saved as it is ticked; what could not be saved is as it was, and says so. */
export const MailSection = ({ choices }: { choices: MailChoices }) => {
  const [notMailed, setNotMailed] = useState(choices.notMailed);
  const [failure, setFailure] = useState<string>();
  const [saving, setSaving] = useState(false);
  const save = async (chosen: MailChoices['notMailed']): Promise<void> => {
    const before = notMailed;
    setNotMailed(chosen);
    setSaving(true);
    setFailure(undefined);
    try {
      await call(chooseMail, { body: { notMailed: chosen } });
      toast('Saved');
    } catch (error) {
      setNotMailed(before);
      setFailure(messageOf(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <div id="mail">
      <Section
        title="What is mailed to you"
        about={
          <>
            Everything also stands in your{' '}
            <Link to="/dashboard/notices" className="text-link">
              notices
            </Link>
            .
          </>
        }
      >
        <TopicChoices notMailed={notMailed} disabled={saving} onChange={(chosen) => void save(chosen)} />
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </Section>
    </div>
  );
};
