import { useState, type ComponentType } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { RootData } from './page-meta.ts';

/** In a demo, at the foot of every page: what happens in some days can be looked at now. Loaded when it is opened. */
export const DemoClock = () => {
  const isDemo = useRouteLoaderData<RootData>('root')?.demo === true;
  const [Panel, setPanel] = useState<ComponentType>();
  const [hasFailed, setFailed] = useState(false);
  if (!isDemo) return null;
  const load = (): void =>
    void import('./demo-clock-panel.tsx').then(
      ({ DemoClockPanel }) => {
        setFailed(false);
        setPanel(() => DemoClockPanel);
      },
      () => setFailed(true),
    );
  return (
    <details
      className="page border-t border-base-300 py-2"
      onToggle={({ currentTarget }) => (currentTarget.open ? load() : setPanel(undefined))}
    >
      <summary className="min-h-11 cursor-pointer py-3">This is a demo shop: look some days ahead</summary>
      {Panel !== undefined && <Panel />}
      {hasFailed && <p role="alert">This could not be loaded. Close and open it to try again.</p>}
    </details>
  );
};
