import { invalidRequest } from '#standins/stripe/api/failure.ts';
import { choiceIn, flagIn, numberIn, signedIn, type Fields } from '#standins/stripe/control-fields.ts';
import type { DoDeed } from '#standins/stripe/store/deeds.ts';
import { ACCOUNT_STATES } from './account-object.ts';
import { changeAccount } from './accounts.ts';
import { setAvailable } from './balance.ts';
import { changeBank, failPayout, PAYOUT_FAILURES, payOut } from './bank-payouts.ts';
import { moveMoneyClock } from './money-clock.ts';
import { moveMoney } from './watch.ts';

const MOST_AHEAD_SECONDS = 3_155_760_000;
const MOST_CENTS = 1_000_000_000;

/**
 * What only a stand-in has of Connect: the clock that money goes by, what the shop has at hand, and what becomes of
 * accounts, their banks and their payouts. Undefined for what is none of it.
 */
export function controlConnect(doDeed: DoDeed, room: string, id: string | undefined, deed: string | undefined) {
  switch (`${room} ${id === undefined ? '' : ':id'} ${deed ?? ''}`.trim()) {
    case 'GET notices':
      return () => doDeed(({ trx }) => ({ ids: trx.newestFirst('notices').map(({ id: of }) => of) }));
    case 'POST clock':
      return (fields: Fields) => moveClock(doDeed, fields);
    case 'POST balance':
      return (fields: Fields) => doBalance(doDeed, fields);
    case 'POST accounts :id state':
      return (fields: Fields) => doAccount(doDeed, id ?? '', fields);
    case 'POST accounts :id bank':
      return (fields: Fields) => doDeed((work) => changeBank(work, id ?? '', flagIn(fields, 'closed')));
    case 'POST accounts :id balance':
      return (fields: Fields) =>
        doDeed((work) => setAvailable(work, signedIn(fields, 'available', MOST_CENTS), id ?? ''));
    case 'POST accounts :id pay-out':
      return () => doDeed((work) => payOut(work, id ?? '', false) ?? nothingToPay());
    case 'POST payouts :id fail':
      return (fields: Fields) =>
        doDeed((work) => failPayout(work, id ?? '', choiceIn(fields, 'code', PAYOUT_FAILURES) ?? 'account_closed'));
    default:
      return undefined;
  }
}

function nothingToPay(): never {
  throw invalidRequest('Nothing of this account is available, or it has no bank that takes it.');
}

/** Everything that this makes due is done at once. */
function moveClock(doDeed: DoDeed, fields: Fields): Promise<object> {
  const aheadSeconds = numberIn(fields, 'aheadSeconds', MOST_AHEAD_SECONDS, true);
  if (aheadSeconds === undefined) throw invalidRequest('Say aheadSeconds.', { param: 'aheadSeconds' });
  return doDeed((work) => {
    const row = moveMoneyClock(work, aheadSeconds);
    moveMoney(work);
    return row;
  });
}

function doBalance(doDeed: DoDeed, fields: Fields): Promise<object> {
  const available = numberIn(fields, 'available', MOST_CENTS, true);
  if (available === undefined) throw invalidRequest('Say what is available, in cents.', { param: 'available' });
  return doDeed((work) => {
    const balance = setAvailable(work, available);
    moveMoney(work);
    return balance;
  });
}

function doAccount(doDeed: DoDeed, id: string, fields: Fields): Promise<object> {
  const state = choiceIn(fields, 'state', ACCOUNT_STATES);
  if (state === undefined) throw invalidRequest(`Say the state: ${ACCOUNT_STATES.join(', ')}.`, { param: 'state' });
  return doDeed((work) => changeAccount(work, id, state));
}
