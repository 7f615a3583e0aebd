import { expect, it } from 'vitest';
import { dashboardEntries } from './dashboard-entries.ts';

it('of several roles show together, each with or without the others', () => {
  const labels = (...roles: Parameters<typeof dashboardEntries>[0]) =>
    dashboardEntries(roles).map(({ label }) => label);
  expect(labels('buyer')).toEqual(['My Orders', 'Wanted Books', 'Remembered']);
  expect(labels('seller', 'buyer')).toEqual(expect.arrayContaining(['Add A Product', 'My Orders']));
  expect(labels('seller', 'buyer')).not.toContain('All Users');
  expect(labels('admin', 'buyer')).toEqual(expect.arrayContaining(['All Users', 'My Orders']));
  expect(labels()).toEqual([]);
});
