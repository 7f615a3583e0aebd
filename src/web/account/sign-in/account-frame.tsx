import type { ReactNode } from 'react';
import { NeedsScripts } from '#web/ui/states.tsx';
import { PageTurning } from './page-turning.tsx';

interface Props {
  title: string;
  /** The way to the other form, under the heading. */
  aside: ReactNode;
  /** Words under the picture. */
  words: string;
  /** Something is being waited for: the pages go on turning. */
  turning: boolean;
  children: ReactNode;
}

/** The pages of signing in and up: a form, and beside it (above it on small screens) a book turning its pages. */
export const AccountFrame = ({ title, aside, words, turning, children }: Props) => (
  <div className="page py-6 sm:py-12">
    <div className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] overflow-hidden rounded-box border border-base-300 bg-base-100 lg:grid-cols-2">
      <div className="flex flex-col items-center justify-center gap-6 border-base-300 bg-base-200 px-6 py-5 max-lg:border-b lg:border-r lg:p-12">
        <PageTurning turning={turning} className="w-36 max-w-full sm:w-44 lg:w-80" />
        <p className="hidden max-w-xs text-center font-serif text-xl leading-snug text-balance lg:block">{words}</p>
      </div>
      <div className="flex flex-col gap-6 p-5 sm:p-10">
        <div>
          <h1 className="font-serif text-3xl font-semibold">{title}</h1>
          <p className="mt-2 text-muted">{aside}</p>
        </div>
        <NeedsScripts what="This form" />
        {children}
      </div>
    </div>
  </div>
);
