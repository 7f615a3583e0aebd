import { classes } from '#web/ui/classes.ts';

/** A book with a dog-eared corner, and the shop's name. */
export const Logo = () => (
  <span className="flex items-center gap-2.5">
    <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
      <path d="M7 3h13l6 6v20H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" className="fill-primary" />
      <path d="M20 3l6 6h-5a1 1 0 0 1-1-1z" className="fill-base-content/60" />
      <path
        d="M9.5 14h12M9.5 18.5h12M9.5 23h7"
        className="stroke-primary-content"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
    <span className="font-serif text-2xl font-bold tracking-tight">Dogear</span>
  </span>
);

/** The logo as the way to the start page. */
export const HomeLink = ({ className }: { className?: string }) => (
  <a href="/" className={classes('rounded-field', className)} aria-label="Dogear, to the start page">
    <Logo />
  </a>
);
