import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { saveFile } from '#web/ui/save-file.ts';

interface Props {
  /** Open while there are some. */
  codes: readonly string[] | undefined;
  onClose: () => void;
}

const textOf = (codes: readonly string[]): string =>
  `Recovery codes of your Dogear account. Each works once, in place of a passkey.\n\n${codes.join('\n')}\n`;

/** Shows recovery codes, the only time they can be seen. */
export const RecoveryCodesDialog = ({ codes, onClose }: Props) => {
  const [copied, setCopied] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText((codes ?? []).join('\n'));
      setCopied('Copied.');
    } catch {
      setCopied('The browser did not let us copy them. Please save them as a file.');
    }
  };
  const close = (): void => {
    setCopied('');
    onClose();
  };
  return (
    <Modal open={codes !== undefined} title="Your recovery codes" onClose={close}>
      <div className="flex flex-col gap-4">
        <Notice tone="warning">
          This is the only time you see them. Keep them where you keep your passport: each of them stands in once for a
          passkey you lost.
        </Notice>
        <ol aria-label="Recovery codes" className="grid gap-x-6 gap-y-2 font-mono text-sm sm:grid-cols-2">
          {(codes ?? []).map((code) => (
            <li key={code} className="rounded-field bg-base-200 px-3 py-2 text-center tracking-wide">
              {code}
            </li>
          ))}
        </ol>
        <p role="status" className="text-sm text-muted">
          {copied}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="secondary" onClick={() => void copy()}>
            Copy
          </Button>
          <Button
            look="secondary"
            onClick={() =>
              saveFile(new Blob([textOf(codes ?? [])], { type: 'text/plain' }), 'dogear-recovery-codes.txt')
            }
          >
            Save as a file
          </Button>
          <Button onClick={close}>I have kept them</Button>
        </div>
      </div>
    </Modal>
  );
};
