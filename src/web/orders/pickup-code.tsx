import { QrCode } from '#web/shell/qr/qr-code.tsx';
import { codeLink } from './kept-code.ts';

/** The code that ends a pickup, to be read out or to be taken by the seller's camera. */
export const PickupCode = ({ orderId, code }: { orderId: string; code: string }) => (
  <div className="flex flex-col items-center gap-3 rounded-box bg-base-200 p-5 text-center">
    <p className="text-sm text-muted">Your code for the seller</p>
    <p className="font-mono text-4xl font-bold tracking-wider tabular-nums">
      <span className="sr-only">{[...code].join(' ')}</span>
      <span aria-hidden="true">
        {code.slice(0, 3)} {code.slice(3)}
      </span>
    </p>
    {/* Its place is kept while it is drawn. */}
    <div className="size-48 rounded-field bg-white">
      <QrCode text={codeLink(location.origin, orderId, code)} label="The same code, for the seller’s camera" />
    </div>
    <p className="max-w-xs text-sm text-muted">
      Let the seller scan it or type it in, when you have the book in your hands.
    </p>
  </div>
);
