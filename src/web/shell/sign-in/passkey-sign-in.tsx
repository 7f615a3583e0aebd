import { useState } from 'react';
import { passkeyToSignIn, signInWithPasskey } from '#contract/users/account.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { passkeyMessageOf, showPasskey } from './passkey-browser.ts';

/** Signs in with a passkey; the browser asks which one. `onSignedIn` follows when the page knows who it is. */
export const PasskeySignIn = ({ onSignedIn }: { onSignedIn: (user: SessionUser) => void }) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { options } = await call(passkeyToSignIn, {});
      const { user } = await call(signInWithPasskey, { body: { passkey: await showPasskey(options) } });
      await beginSession(user);
      onSignedIn(user);
    } catch (error) {
      setFailure(passkeyMessageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="secondary" busy={busy} onClick={() => void press()}>
        Sign in with a passkey
      </Button>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
    </>
  );
};
