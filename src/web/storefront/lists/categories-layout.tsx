import type { ReactNode } from 'react';
import { CategorySidebar } from '#web/shell/layout/category-sidebar.tsx';

/** Books beside the category navigation, which stands at the right from 1024 px and in the menu below that. */
export const CategoriesLayout = ({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: string;
  children: ReactNode;
}) => (
  <div className="page grid gap-8 py-8 sm:py-10 lg:grid-cols-[minmax(0,1fr)_15rem]">
    <div className="min-w-0">
      <h1 className="font-serif text-3xl font-semibold break-words">{title}</h1>
      {intro !== undefined && <p className="mt-1 text-muted">{intro}</p>}
      <div className="mt-4 sm:mt-6">{children}</div>
    </div>
    <aside className="hidden lg:block">
      <CategorySidebar />
    </aside>
  </div>
);
