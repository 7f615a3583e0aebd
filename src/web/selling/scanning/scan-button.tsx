import { lazy, Suspense, useEffect, useState } from 'react';
import { isListingForm } from '#contract/routes.ts';
import { Button } from '#web/ui/button.tsx';

const Scanner = lazy(async () => ({ default: (await import('./scanner.tsx')).Scanner }));

/** In the address of a document that was loaded anew for scanning. */
const MARK = '#scan';

/** Whether this document may use the camera: that was said when it was loaded, wherever it was walked to since. */
const mayScan = (): boolean => {
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded !== undefined && isListingForm(new URL(loaded.name, location.href).pathname);
};

interface Props {
  onBook: (digits: string) => void;
  disabled?: boolean | undefined;
}

/** Opens the scanner of barcodes, which comes when it is asked for. */
export const ScanButton = ({ onBook, disabled }: Props) => {
  const [isOpen, setIsOpen] = useState(() => location.hash === MARK && mayScan());

  useEffect(() => {
    if (location.hash === MARK) history.replaceState(history.state, '', location.pathname + location.search);
  }, []);

  const open = (): void => {
    if (mayScan()) return setIsOpen(true);
    history.replaceState(history.state, '', MARK);
    location.reload();
  };

  return (
    <>
      <Button look="soft" disabled={disabled} onClick={open} className="mt-[1.625rem] shrink-0">
        Scan
      </Button>
      {isOpen && (
        <Suspense>
          <Scanner
            onClose={() => setIsOpen(false)}
            onBook={(digits) => {
              setIsOpen(false);
              onBook(digits);
            }}
          />
        </Suspense>
      )}
    </>
  );
};
