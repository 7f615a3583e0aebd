import { useEffect, useState } from 'react';

type Modules = readonly (readonly boolean[])[];

/** Drawn by our own elements: markup of a library would be stopped by the pages' policy. */
const pathOf = (modules: Modules): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

const useQr = (text: string): Modules | undefined => {
  const [modules, setModules] = useState<Modules>();
  useEffect(() => {
    let isOver = false;
    // Loaded where one is shown, and nowhere else. Without it, what stands beside it is read.
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

/** A QR code as large as its place. Dark on light in both themes, or cameras do not find it. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const modules = useQr(text);
  return modules === undefined ? null : (
    <svg
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      className="bg-white"
    >
      <path d={pathOf(modules)} fill="#000" />
    </svg>
  );
};
