import { useState } from 'react';
import { messageOf } from '#web/api/api-error.ts';
import { endSession } from '#web/api/session.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast-store.ts';

/** Signs out and says so when that fails; private pages then lead to the sign-in page by themselves. */
const signOutHere = async (): Promise<void> => {
  try {
    await endSession();
    toast('Signed out', { tone: 'info' });
  } catch (error) {
    toast('You are still signed in', { tone: 'error', text: messageOf(error) });
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
