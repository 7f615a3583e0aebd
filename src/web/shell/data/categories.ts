import { useRouteLoaderData } from 'react-router';
import type { Category } from '#contract/catalog/catalog.ts';

/** What the site's layout loads for every page. */
export interface SiteData {
  readonly categories: readonly Category[];
  /** They could not be loaded. */
  readonly isIncomplete?: boolean;
}

/** All categories, by name; loaded once for every page. Empty when they could not be loaded. */
export const useCategories = (): readonly Category[] => useRouteLoaderData<SiteData>('site')?.categories ?? [];

/** Whether the categories are missing because they could not be loaded. */
export const useCategoriesMissing = (): boolean => useRouteLoaderData<SiteData>('site')?.isIncomplete === true;
