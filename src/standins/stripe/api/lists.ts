import { invalidRequest, noSuch } from './failure.ts';
import type { FormObject } from './form.ts';
import { integer, text } from './params.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

interface Listed {
  id: string;
  created: number;
}

/** A page in Stripe's shape. */
export interface Page<Row> {
  object: 'list';
  data: Row[];
  has_more: boolean;
  url: string;
}

/** Cuts one page out of rows that come newest first, by `limit`, `starting_after`, `ending_before` and `created`. */
export function listPage<Row extends Listed>(rows: Row[], params: FormObject, url: string, kind: string): Page<Row> {
  const limit = integer(params, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    const code = 'parameter_invalid_integer';
    throw invalidRequest(`This value must be between 1 and ${MAX_LIMIT}.`, { code, param: 'limit' });
  }
  const wasCreated = createdFilter(params);
  const matching = rows.filter((row) => wasCreated(row.created));
  const after = text(params, 'starting_after');
  const before = text(params, 'ending_before');
  if (before !== undefined) {
    const newer = matching.slice(0, positionOf(matching, before, kind, 'ending_before'));
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url };
  }
  const older =
    after === undefined ? matching : matching.slice(positionOf(matching, after, kind, 'starting_after') + 1);
  return { object: 'list', data: older.slice(0, limit), has_more: older.length > limit, url };
}

function positionOf(rows: Listed[], id: string, kind: string, param: string): number {
  const position = rows.findIndex((row) => row.id === id);
  if (position === -1) throw noSuch(kind, id, param);
  return position;
}

/** `created=1700000000`, or `created[gte]=…` and its kin. */
function createdFilter(params: FormObject): (created: number) => boolean {
  const given = params['created'];
  if (given === undefined || given === '') return () => true;
  if (typeof given === 'string') {
    const exactly = integer(params, 'created');
    return (created) => created === exactly;
  }
  const bound = (key: string) => integer(given, key, `created[${key}]`);
  const [gt, gte, lt, lte] = [bound('gt'), bound('gte'), bound('lt'), bound('lte')];
  return (created) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte);
}
