import { useEffect, useState } from 'react';
import { codeLink } from './kept-code.ts';

type Modules = readonly (readonly boolean[])[];

/** Drawn by our own elements: markup of a library would be stopped by the pages' policy. */
const pathOf = (modules: Modules): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

const useQr = (text: string): Modules | undefined => {
  const [modules, setModules] = useState<Modules>();
  useEffect(() => {
    let isOver = false;
    // Only here, and only for a buyer who stands before the seller. Without it the digits are read out.
    import('uqr')
      .then(({ encode }) => {
        if (!isOver) setModules(encode(text, { ecc: 'M', border: 4 }).data);
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [text]);
  return modules;
};

/** The code that ends a pickup, to be read out or to be taken by the seller's camera. */
export const PickupCode = ({ orderId, code }: { orderId: string; code: string }) => {
  const modules = useQr(codeLink(location.origin, orderId, code));
  return (
    <div className="flex flex-col items-center gap-3 rounded-box bg-base-200 p-5 text-center">
      <p className="text-sm text-muted">Your code for the seller</p>
      <p className="font-mono text-4xl font-bold tracking-wider tabular-nums">
        <span className="sr-only">{[...code].join(' ')}</span>
        <span aria-hidden="true">
          {code.slice(0, 3)} {code.slice(3)}
        </span>
      </p>
      {/* Dark on light in both themes, or cameras do not find it. Its place is kept while it is drawn. */}
      <div className="size-48 rounded-field bg-white">
        {modules !== undefined && (
          <svg
            viewBox={`0 0 ${modules.length} ${modules.length}`}
            shapeRendering="crispEdges"
            role="img"
            aria-label="The same code, for the seller’s camera"
          >
            <path d={pathOf(modules)} fill="#000" />
          </svg>
        )}
      </div>
      <p className="max-w-xs text-sm text-muted">
        Let the seller scan it or type it in, when you have the book in your hands.
      </p>
    </div>
  );
};
