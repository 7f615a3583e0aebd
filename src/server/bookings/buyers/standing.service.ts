import type { Standing } from '#contract/bookings/standing.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { listStandingRows } from './standing.queries.ts';

/** How the viewer stands to the copies named in `ids`, with commas; 401 for visitors. */
export const listStandings = async (db: Db, viewer: Viewer, input: { ids: string }): Promise<{ rows: Standing[] }> => {
  const user = requireSignedIn(viewer);
  const ids = [...new Set(input.ids.toLowerCase().split(','))];
  const rows = await listStandingRows(db, user.userId, ids);
  return {
    rows: rows.map(({ until, boughtAt, ...row }) => ({
      ...row,
      until: until?.toISOString() ?? null,
      boughtAt: boughtAt?.toISOString() ?? null,
    })),
  };
};
