import { useState } from 'react';
import { endSession } from '#web/api/session.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** Signs out and says so; private pages then lead to the sign-in page by themselves. */
const signOutHere = async (): Promise<void> => {
  const isTold = await endSession();
  if (isTold) toast('Signed out', { tone: 'info' });
  else {
    const text = 'The shop cannot be reached just now. Your session there ends as soon as it can be.';
    toast('Signed out in this browser', { tone: 'info', text });
  }
};

/** A button that signs out. */
export const SignOutButton = ({ children = 'Sign Out', ...rest }: Omit<ButtonProps, 'onClick' | 'busy'>) => {
  const [busy, setBusy] = useState(false);
  const click = async (): Promise<void> => {
    setBusy(true);
    await signOutHere();
    setBusy(false);
  };
  return (
    <Button {...rest} busy={busy} onClick={() => void click()}>
      {children}
    </Button>
  );
};
