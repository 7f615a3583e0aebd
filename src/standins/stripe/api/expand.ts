import { invalidRequest } from './failure.ts';
import type { Trx } from '#standins/stripe/store/store.ts';

/** Finds the object an id stands for, among those that may be put in its place. */
function lookUp(trx: Trx, id: string): object | undefined {
  if (id.startsWith('pi_')) return trx.get('payment_intents', id)?.intent;
  if (id.startsWith('pm_')) return trx.get('payment_methods', id)?.method;
  if (id.startsWith('ch_')) return trx.get('charges', id);
  if (id.startsWith('re_')) return trx.get('refunds', id);
  if (id.startsWith('du_')) return trx.get('disputes', id);
  if (id.startsWith('tr_')) return trx.get('transfers', id);
  if (id.startsWith('txn_')) return trx.get('balance_transactions', id)?.transaction;
  return undefined;
}

/** Puts objects in the place of their ids, as `expand[]=latest_charge` or `expand[]=data.latest_charge` asks. */
export function expanded(trx: Trx, answer: object, paths: string[]): object {
  return paths.reduce((object, path) => expandPath(trx, object, path.split('.'), path), answer);
}

function expandPath(trx: Trx, object: object, segments: string[], path: string): object {
  const [key, ...rest] = segments;
  if (key === undefined) return object;
  const value: unknown = Object.entries(object).find(([name]) => name === key)?.[1];
  if (value === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  return { ...object, [key]: expandValue(trx, value, rest, path) };
}

function expandValue(trx: Trx, value: unknown, rest: string[], path: string): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((entry) => expandValue(trx, entry, rest, path));
  const object = typeof value === 'string' ? lookUp(trx, value) : value;
  if (typeof object !== 'object' || object === null) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  return expandPath(trx, object, rest, path);
}
