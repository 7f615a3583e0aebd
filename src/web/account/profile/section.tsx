import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  /** What it is for, under its heading. */
  about: ReactNode;
  children: ReactNode;
}

/**
 * A part of the account page: what it is on the left, what to do on the right; one above the other where there is no
 * room.
 */
export const Section = ({ title, about, children }: Props) => {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-base-300 py-8 xl:grid-cols-[14rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-serif text-xl font-semibold">
          {title}
        </h2>
        <div className="mt-1 max-w-prose text-sm text-muted">{about}</div>
      </div>
      <div className="flex max-w-xl min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
};

/** The rows of a list in a section. */
export const SectionList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul
    aria-label={label}
    className="divide-y divide-base-300 overflow-hidden rounded-box border border-base-300 bg-base-100"
  >
    {children}
  </ul>
);

/** A row: what it is, a line under it, and its buttons. */
export const SectionRow = ({
  title,
  about,
  children,
}: {
  title: ReactNode;
  about: ReactNode;
  children?: ReactNode;
}) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
    <div className="min-w-0 flex-1 basis-48">
      <p className="font-semibold wrap-anywhere">{title}</p>
      <p className="text-sm text-muted">{about}</p>
    </div>
    {children !== undefined && <div className="flex flex-wrap gap-2">{children}</div>}
  </li>
);
