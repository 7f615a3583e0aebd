import { useEffect, useState } from 'react';
import {
  listLinks,
  PROVIDER_NAMES,
  PROVIDERS,
  startLink,
  unlink,
  type Link,
  type Provider,
} from '#contract/users/social.ts';
import { formatDate } from '#contract/time.ts';
import { messageOf } from '#web/api/api-error.ts';
import { browserApi, call } from '#web/api/call.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/shell/forms/confirm.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { Section, SectionList, SectionRow } from '#web/account/profile/section.tsx';
import { loadWays, type WaysData } from '#web/shell/social/social-ways.ts';
import { useSocial } from '#web/shell/social/use-social.ts';

interface Loaded extends WaysData {
  readonly links: readonly Link[];
}

const load = async (): Promise<Loaded> => {
  const [{ rows: links }, { ways }] = await Promise.all([browserApi.callPage(listLinks, {}), loadWays(browserApi)]);
  return { links, ways };
};

/** What the shop is asked before the window opens: where to go, and whether it was really the person who pressed. */
const locate = async (provider: Provider, popup: boolean): Promise<string> => {
  const { location } = await withFreshSignIn(() => call(startLink, { params: { provider }, body: { popup } }));
  return location;
};

const Row = ({ provider, link, loaded, busy, onLink, onUnlink }: RowProps) => {
  const name = PROVIDER_NAMES[provider];
  const timeZone = useTimeZone();
  const isOpen = loaded.ways?.find((way) => way.provider === provider)?.open !== false;
  const about = isOpen ? 'Not linked' : 'Not set up in this shop';
  return (
    <SectionRow
      title={name}
      about={link === undefined ? about : `${link.email}, linked ${formatDate(link.linkedAt, timeZone)}`}
    >
      {link !== undefined && (
        <Button look="quiet-danger" size="sm" onClick={onUnlink}>
          Unlink<span className="sr-only"> {name}</span>
        </Button>
      )}
      {link === undefined && isOpen && (
        <Button look="secondary" size="sm" busy={busy} onClick={onLink}>
          Link<span className="sr-only"> {name}</span>
        </Button>
      )}
    </SectionRow>
  );
};

interface RowProps {
  provider: Provider;
  link: Link | undefined;
  loaded: Loaded;
  busy: boolean;
  onLink: () => void;
  onUnlink: () => void;
}

/**
 * The accounts at Google and Github that open this one: link one, unlink one. `ReauthenticationDialog` must be on the
 * page.
 */
export const LinkedAccounts = () => {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failure, setFailure] = useState<string>();
  const [leaving, setLeaving] = useState<Provider>();
  const [unlinking, setUnlinking] = useState(false);

  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    load()
      .then(setLoaded)
      .catch((error: unknown) => setFailure(messageOf(error)));
  }, [attempt]);
  const refresh = (): void => {
    setFailure(undefined);
    setAttempt((last) => last + 1);
  };

  const social = useSocial({
    page: 'account',
    from: '/',
    locate,
    onSuccess: (provider) => {
      toast(`${PROVIDER_NAMES[provider]} is linked`, { text: 'You can sign in with it from now on.' });
      refresh();
    },
  });

  const takeAway = async (provider: Provider): Promise<void> => {
    setUnlinking(true);
    try {
      await withFreshSignIn(() => call(unlink, { params: { provider } }));
      toast(`${PROVIDER_NAMES[provider]} is unlinked`);
      refresh();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setUnlinking(false);
      setLeaving(undefined);
    }
  };

  return (
    <Section title="Google and Github" about="Sign in with an account you have there. One way in always stays.">
      {failure !== undefined && (
        <Notice
          tone="error"
          action={
            loaded === undefined && (
              <Button look="secondary" size="sm" onClick={refresh}>
                Try again
              </Button>
            )
          }
        >
          {failure}
        </Notice>
      )}
      {social.failure !== undefined && <Notice tone="error">{social.failure}</Notice>}
      {loaded === undefined && failure === undefined && <SkeletonRows rows={2} label="Looking up linked accounts" />}
      {loaded !== undefined && (
        <SectionList label="Linked accounts">
          {PROVIDERS.map((provider) => (
            <Row
              key={provider}
              provider={provider}
              link={loaded.links.find((link) => link.provider === provider)}
              loaded={loaded}
              busy={social.busy === provider}
              onLink={() => social.press(provider)}
              onUnlink={() => setLeaving(provider)}
            />
          ))}
        </SectionList>
      )}
      <Confirm
        open={leaving !== undefined}
        title={leaving === undefined ? '' : `Unlink ${PROVIDER_NAMES[leaving]}?`}
        confirmLabel="Unlink"
        busy={unlinking}
        onConfirm={() => leaving !== undefined && void takeAway(leaving)}
        onClose={() => setLeaving(undefined)}
      >
        You can no longer sign in with it. You can link it again whenever you like.
      </Confirm>
    </Section>
  );
};
