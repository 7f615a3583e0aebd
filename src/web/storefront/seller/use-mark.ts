import { useEffect, useRef, useState } from 'react';
import { messageOf } from '#web/api/api-error.ts';
import { toast } from '#web/ui/toast/toast-store.ts';

interface MarkCalls {
  /** Whose mark it is; undefined while nobody may have one: then nothing is asked. */
  readonly of: string | undefined;
  /** What it is on; asked anew for another. */
  readonly on: string;
  readonly read: (signal: AbortSignal) => Promise<boolean>;
  readonly write: (next: boolean) => Promise<boolean>;
  /** Says what was done. */
  readonly told: (isOn: boolean) => void;
}

/** Something that a reader switches on and off; undefined until it is known. */
export const useMark = ({ of, on, read, write, told }: MarkCalls) => {
  const [isOn, setIsOn] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const reading = useRef<AbortController>(null);
  useEffect(() => {
    if (of === undefined) return undefined;
    const stop = new AbortController();
    reading.current = stop;
    read(stop.signal).then(setIsOn, () => undefined);
    return () => stop.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- `read` is made anew each time, of the same two
  }, [of, on]);
  const press = async (): Promise<void> => {
    setBusy(true);
    // How it was before they pressed may come later than what they did.
    reading.current?.abort();
    try {
      const next = await write(isOn !== true);
      setIsOn(next);
      told(next);
    } catch (error) {
      toast('This was not done', { tone: 'error', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return { isOn: isOn === true, busy, press };
};
