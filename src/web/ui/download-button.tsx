import { useState } from 'react';
import { Button } from './button.tsx';
import { saveFile } from './save-file.ts';
import { Notice } from './states.tsx';

interface Props {
  label: string;
  /** What the file is called; as the shop says, where absent. */
  name?: string;
  read: () => Promise<File>;
  /** What to say of a failure. */
  say: (error: unknown) => string;
}

/** Fetches a file and hands it to the browser to keep; what goes wrong is said beneath the button. */
export const DownloadButton = ({ label, name, read, say }: Props) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const download = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const file = await read();
      saveFile(file, name ?? file.name);
    } catch (error) {
      setFailure(say(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <Button look="secondary" busy={busy} onClick={() => void download()}>
        {label}
      </Button>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
    </div>
  );
};
