import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { endOneSession, endOtherSessions, type AccountSession } from '#contract/users/account.ts';
import { formatDate } from '#contract/time.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { SignOutButton } from '#web/shell/layout/sign-out.tsx';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section, SectionList, SectionRow } from './section.tsx';
import { agoWords } from './time-words.ts';

/** Where the person is signed in: this browser first, and each of the others can be signed out. */
export const SessionsSection = ({ sessions, nowMs }: { sessions: readonly AccountSession[]; nowMs: number }) => {
  const { revalidate } = useRevalidator();
  const [ending, setEnding] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const timeZone = useTimeZone();
  const others = sessions.filter(({ current }) => !current);

  const end = async (what: string, work: () => Promise<unknown>, said: string): Promise<void> => {
    setEnding(what);
    setFailure(undefined);
    try {
      await work();
      toast(said);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setEnding(undefined);
    }
    // Whether it went or not: it may have ended by itself.
    await revalidate();
  };

  return (
    <Section title="Where you are signed in" about="Sign out what you do not know, and change your password then.">
      <SectionList label="Your sessions">
        {[...sessions.filter(({ current }) => current), ...others].map(({ _id, device, current, ...times }) => (
          <SectionRow
            key={_id}
            title={device}
            about={`Signed in ${formatDate(times.signedInAt, timeZone)}, ${
              current ? 'this browser' : `last used ${agoWords(times.lastUsedAt, nowMs, timeZone)}`
            }`}
          >
            {current ? (
              <SignOutButton look="quiet" size="sm" />
            ) : (
              <Button
                look="secondary"
                size="sm"
                busy={ending === _id}
                onClick={() =>
                  void end(_id, () => call(endOneSession, { params: { id: _id } }), `${device} is signed out`)
                }
              >
                Sign out<span className="sr-only"> {device}</span>
              </Button>
            )}
          </SectionRow>
        ))}
      </SectionList>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      {others.length > 0 && (
        <Button
          look="secondary"
          className="self-start"
          busy={ending === 'all'}
          onClick={() => void end('all', () => call(endOtherSessions, {}), 'You are signed out everywhere else')}
        >
          Sign out everywhere else
        </Button>
      )}
    </Section>
  );
};
