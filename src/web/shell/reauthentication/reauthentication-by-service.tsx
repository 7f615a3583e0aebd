import { useEffect, useState } from 'react';
import { readSession } from '#contract/users/identity.ts';
import { listLinks, PROVIDER_NAMES, type Provider } from '#contract/users/social.ts';
import { browserApi, call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { SERVICE_ICONS } from '#web/shell/social/service-icons.tsx';
import { useSocial } from '#web/shell/social/use-social.ts';

/**
 * The services by which this person can show that it is them; undefined until that is known, empty where there are
 * none.
 */
export const useLinkedServices = (): readonly Provider[] | undefined => {
  const [services, setServices] = useState<readonly Provider[]>();
  useEffect(() => {
    browserApi
      .callPage(listLinks, {})
      .then(({ rows }) => setServices(rows.map(({ provider }) => provider)))
      // The other ways are still there.
      .catch(() => setServices([]));
  }, []);
  return services;
};

/** Buttons that lead to the linked services, and back with a sign-in that is fresh again. */
export const ByService = ({ services, onConfirmed }: { services: readonly Provider[]; onConfirmed: () => void }) => {
  const social = useSocial({
    page: 'account',
    from: '/',
    again: true,
    onSuccess: async () => {
      const { user } = await call(readSession, {});
      if (user === null) return;
      // It is another session now: the old access token went with the old one.
      await beginSession(user);
      onConfirmed();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      {social.failure !== undefined && <Notice tone="error">{social.failure}</Notice>}
      {services.map((provider) => {
        const Icon = SERVICE_ICONS[provider];
        return (
          <Button
            key={provider}
            look="secondary"
            busy={social.busy === provider}
            onClick={() => social.press(provider)}
          >
            {social.busy !== provider && <Icon />}
            Confirm with {PROVIDER_NAMES[provider]}
          </Button>
        );
      })}
    </div>
  );
};
