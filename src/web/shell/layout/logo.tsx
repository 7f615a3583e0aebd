import { classes } from '#web/ui/classes.ts';

/** A book with a dog-eared corner, and the shop's name. */
export const Logo = () => (
  <span className="flex items-center gap-2.5">
    <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
      <path d="M8 2h12l7 7v15H9a3 3 0 0 0-3 3V4a2 2 0 0 1 2-2z" className="fill-primary" />
      <path d="M20 2l7 7h-6a1 1 0 0 1-1-1z" className="fill-base-content/60" />
      <path
        d="M27 24v5H9a2.5 2.5 0 0 1 0-5M27 26.5H10M10.5 3v20"
        className="fill-none stroke-primary"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M10.5 3v20" className="stroke-primary-content" strokeWidth="1.4" />
      <path d="M14.5 12.5h8M14.5 16.5h5" className="stroke-primary-content" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
    <span className="logo-name font-serif text-2xl font-bold tracking-tight">Dogear</span>
  </span>
);

/** The logo as the way to the start page. */
export const HomeLink = ({ className }: { className?: string }) => (
  <a href="/" className={classes('rounded-field', className)} aria-label="Dogear, to the start page">
    <Logo />
  </a>
);
