import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ReadOnlyText } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';

/** A secret that is shown this once, to be taken along. */
export const ShownOnce = ({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) => {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="mt-4 flex flex-col gap-3">
      <Notice tone="warning" title="Copy it now: it is not shown again">
        Whoever has it can do what it is good for.
      </Notice>
      <ReadOnlyText label={label} value={secret} />
      <div className="flex gap-3">
        <Button
          look="secondary"
          onClick={() =>
            void navigator.clipboard.writeText(secret).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button look="quiet" onClick={onDone}>
          I have it
        </Button>
      </div>
    </div>
  );
};
