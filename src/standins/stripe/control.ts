import { finishProcessing } from './cards/processing.ts';
import type { Deed } from './api/call.ts';
import type { DoDeed } from './store/deeds.ts';
import { appealDispute, decideDispute, disputeOf, mustBeOpen, openDispute } from './payments/disputes.ts';
import { invalidRequest, noSuch, StripeFailure } from './api/failure.ts';
import { failRefund } from './payments/refunds.ts';
import { choiceIn, fieldsIn, numberIn, textIn, type Fields } from './control-fields.ts';
import { controlConnect } from './connect/control.ts';
import { FAULTS, type Fault, type FaultName, type FaultPlan, type Faults } from './faults.ts';

/** An answer of the control API, before it is written as JSON. */
export interface ControlAnswer {
  status: number;
  body: object;
}

interface ControlDeps {
  secretKey: string;
  faults: Faults;
  doDeed: DoDeed;
}

const MAX_FAULTS = 50;
const MAX_MS = 60_000;
const MAX_NEXT = 1_000_000;
const MAX_CENTS = 99_999_999;

/**
 * What only a stand-in has, beside Stripe's own `/v1/`: faults on demand, and what banks do, by hand: disputes opened
 * and decided, payments in process brought to their end, refunds sent back, what happens to sellers' accounts. JSON,
 * with the secret key as bearer; so no other site's page can reach it.
 */
export function createControl({ secretKey, faults, doDeed }: ControlDeps) {
  /** Undefined for an address that is not the control API's. */
  async function answer(method: string, path: string, authorization: string, body: string) {
    const handler = handlerOf(method, path);
    if (handler === undefined) return undefined;
    if (authorization !== `Bearer ${secretKey}`) {
      return told(401, { error: { type: 'invalid_request_error', message: 'Send the secret key as a bearer token.' } });
    }
    return done(handler, body);
  }

  /** A deed as a button of the page names it: `POST accounts/acct_1/state {"state":"active"}`. */
  async function byButton(deed: string) {
    const [, method = '', path = '', body = ''] = /^(POST|DELETE) (\S+) (.*)$/.exec(deed) ?? [];
    const handler = handlerOf(method, `/${path}`);
    return handler === undefined ? told(404, { error: { message: 'There is no such button.' } }) : done(handler, body);
  }

  async function done(handler: (fields: Fields) => object | Promise<object>, body: string): Promise<ControlAnswer> {
    try {
      return told(200, await handler(fieldsIn(body)));
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      return told(error.status, { error: error.body });
    }
  }

  function handlerOf(method: string, path: string): ((fields: Fields) => object | Promise<object>) | undefined {
    const [, room, id, deed, ...rest] = path.split('/');
    if (rest.length > 0) return undefined;
    switch (`${method} ${room} ${id === undefined ? '' : ':id'} ${deed ?? ''}`.trim()) {
      case 'GET faults':
        return () => faults.report();
      case 'POST faults':
        return (fields) => planned(readPlan(fields));
      case 'DELETE faults':
        return () => planned({ seed: 0, faults: [] });
      case 'POST disputes':
        return openByHand;
      case 'POST disputes :id close':
        return (fields) => decideByHand(id ?? '', fields);
      case 'POST refunds :id fail':
        return () => doDeed((deed) => failRefund(deed, id ?? ''));
      case 'POST processing :id finish':
        return (fields) => finishByHand(id ?? '', fields);
      case 'POST disputes :id appeal':
        return (fields) => appealByHand(id ?? '', fields);
      case 'DELETE keys':
        return () => doDeed(forgetKeys);
      default:
        return controlConnect(doDeed, `${method} ${room}`, id, deed);
    }
  }

  function planned(plan: FaultPlan): object {
    faults.plan(plan);
    return faults.report();
  }

  function openByHand(fields: Fields): Promise<object> {
    const intentId = textIn(fields, 'payment_intent');
    const reason = choiceIn(fields, 'reason', ['fraudulent', 'product_not_received'] as const) ?? 'fraudulent';
    const amount = numberIn(fields, 'amount', MAX_CENTS, true);
    return doDeed((deed) => {
      const intent = deed.trx.get('payment_intents', intentId)?.intent;
      if (intent === undefined) throw noSuch('payment_intent', intentId, 'payment_intent');
      const charge = deed.trx.get('charges', String(intent.latest_charge));
      if (charge === undefined || !charge.paid || charge.disputed || charge.refunded) {
        throw invalidRequest('Only a charge that is paid, not refunded and not disputed yet can be disputed.');
      }
      if (amount === 0 || (amount ?? 0) > charge.amount) {
        throw invalidRequest('Only what was paid can be disputed.', { param: 'amount' });
      }
      return openDispute(deed, charge, reason, amount);
    });
  }

  function decideByHand(id: string, fields: Fields): Promise<object> {
    const status = choiceIn(fields, 'status', ['lost', 'won'] as const);
    if (status === undefined) throw invalidRequest('Say the status: lost or won.', { param: 'status' });
    return doDeed((deed) => {
      const dispute = disputeOf(deed, id);
      mustBeOpen(dispute);
      return decideDispute(deed, dispute, status);
    });
  }

  function appealByHand(id: string, fields: Fields): Promise<object> {
    const status = choiceIn(fields, 'status', ['appeal_under_review', 'lost', 'won'] as const);
    if (status === undefined) {
      throw invalidRequest('Say the status: appeal_under_review, won or lost.', { param: 'status' });
    }
    return doDeed((deed) => appealDispute(deed, id, status));
  }

  function finishByHand(intentId: string, fields: Fields): Promise<object> {
    const outcome = choiceIn(fields, 'outcome', ['succeeds', 'fails'] as const);
    if (outcome === undefined) throw invalidRequest('Say the outcome: succeeds or fails.', { param: 'outcome' });
    return doDeed((deed) => {
      const intent = finishProcessing(deed, intentId, outcome);
      if (intent === undefined) throw invalidRequest(`No payment intent '${intentId}' is being processed.`);
      return intent;
    });
  }

  return { answer, byButton };
}

/** Stripe keeps keys for a day or so: then the same key is work to be done once more. */
function forgetKeys({ trx }: Deed): { forgotten: number } {
  const keys = trx.keys('idempotency_keys');
  for (const key of keys) trx.remove('idempotency_keys', key);
  return { forgotten: keys.length };
}

function told(status: number, body: object): ControlAnswer {
  return { status, body };
}

function readPlan(fields: Fields): FaultPlan {
  const seed = numberIn(fields, 'seed', 2 ** 32 - 1, true) ?? 0;
  const list: unknown = fields['faults'] ?? [];
  if (!Array.isArray(list) || list.length > MAX_FAULTS) throw invalidRequest('Invalid faults: must be a list.');
  return { seed, faults: list.map((entry: unknown) => readFault(Object(entry))) };
}

function readFault(fields: Fields): Fault {
  const fault = choiceIn(fields, 'fault', Object.keys(FAULTS) as FaultName[]);
  if (fault === undefined) throw invalidRequest('Each fault needs its name in `fault`.', { param: 'fault' });
  const on = fields['on'] === undefined ? undefined : textIn(fields, 'on');
  const ratio = numberIn(fields, 'ratio', 1, false);
  const next = numberIn(fields, 'next', MAX_NEXT, true);
  const ms = numberIn(fields, 'ms', MAX_MS, true);
  if ((ratio === undefined) === (next === undefined)) {
    throw invalidRequest(`Say of ${fault} either the ratio or the next so many.`);
  }
  return { fault, on, ratio, next, ms };
}
