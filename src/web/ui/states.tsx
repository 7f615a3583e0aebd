import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { BookIcon, CheckIcon, InfoIcon, WarningIcon } from './icons.tsx';

/** A quiet shape where something is about to be; give its size by classes. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div
    className={classes('skeleton rounded-field motion-reduce:animate-none noscript:hidden', className)}
    aria-hidden="true"
  />
);

/** Where JavaScript is missing: what needs it here, and what to do. The browser shows it there alone. */
export const NeedsScripts = ({ what }: { what: string }) => (
  <noscript>
    <Notice tone="warning" title={`${what} needs JavaScript`}>
      Turn it on in your browser and load this page again. You can look at books and search without it.
    </Notice>
  </noscript>
);

/** Lines of a list that is loading; says so to screen readers. */
export const SkeletonRows = ({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) => (
  <div role="status" className="flex flex-col gap-3 noscript:hidden">
    <span className="sr-only">{label}</span>
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} className="h-16 w-full" />
    ))}
  </div>
);

/** Nothing here yet: what that means and what to do next. `action` is a link or button. */
export const EmptyState = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="flex flex-col items-center gap-3 rounded-box border border-dashed border-base-300 px-6 py-14 text-center">
    <BookIcon className="size-10 text-muted" />
    <p className="font-serif text-xl font-semibold">{title}</p>
    {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
    {action !== undefined && <div className="mt-2">{action}</div>}
  </div>
);

export type NoticeTone = 'info' | 'success' | 'warning' | 'error';

const TONES = {
  info: { icon: InfoIcon, look: 'border-info/40 bg-info/10', tint: 'text-info' },
  success: { icon: CheckIcon, look: 'border-success/40 bg-success/10', tint: 'text-success' },
  warning: { icon: WarningIcon, look: 'border-warning/40 bg-warning/10', tint: 'text-warning' },
  error: { icon: WarningIcon, look: 'border-error/40 bg-error/10', tint: 'text-error' },
} as const;

export interface NoticeProps {
  tone?: NoticeTone;
  title?: string;
  children?: ReactNode;
  /** What to do about it: a button or link. */
  action?: ReactNode;
}

/** A message in its place on the page. Errors are read out at once. */
export const Notice = ({ tone = 'info', title, children, action }: NoticeProps) => {
  const { icon: Icon, look, tint } = TONES[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'note'}
      className={classes('flex items-start gap-3 rounded-box border p-4', look)}
    >
      <Icon className={classes('mt-0.5 size-5 shrink-0', tint)} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="break-words">{children}</div>}
        {action !== undefined && <div className="mt-3">{action}</div>}
      </div>
    </div>
  );
};
