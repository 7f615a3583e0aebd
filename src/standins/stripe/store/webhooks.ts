import type { Faults } from '#standins/stripe/faults.ts';
import { nowSeconds } from '#standins/stripe/api/ids.ts';
import { eventIn } from './events.ts';
import type { Store } from './store.ts';
import type { DeliveryRow } from './tables.ts';
import { signatureHeader } from '#standins/stripe/api/webhook-signature.ts';

/** How long to wait after the first, second, … failed try. After the last one the webhook is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].map((s) => s * 1000);

// So many at once for each address: an app that comes back to a long queue is fed, not flooded.
const MAX_IN_FLIGHT = 4;
// Spreads retries that failed together.
const JITTER = 0.2;
const TIMEOUT_MS = 10_000;

export interface WebhookSender {
  /** Sends these as soon as there is room. */
  enqueue(ids: string[]): void;
  endpoints(): number;
  setUrls(urls: readonly string[]): void;
  /** Resolves once no webhook waits any more for one of the known addresses: each was accepted or given up. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface SenderDeps {
  store: Store;
  faults: Faults;
  secret: string;
  /** Signs what happened to connected accounts. */
  connectSecret: string;
  urls: readonly string[];
  retryDelaysMs: readonly number[];
  log: (message: string) => void;
}

/** Delivers events to the webhook addresses, at least once each, and goes on after a restart where it had stopped. */
export function createWebhookSender(deps: SenderDeps): WebhookSender {
  let urls = [...deps.urls];
  let closed = false;
  /** Ids that are due, by address. */
  const queues = new Map<number, string[]>();
  const timers = new Map<string, NodeJS.Timeout>();
  const inFlight = new Map<string, Promise<void>>();
  const busy = new Map<number, number>();
  const abort = new AbortController();
  let waiters: (() => void)[] = [];
  /** Ids that are sent twice. */
  const doubled = new Set<string>();
  /** Ids that wait until a later webhook was sent. */
  const heldBack: string[] = [];

  /** A webhook's first try: the moment when something may go wrong with it on purpose. */
  function begin(id: string): void {
    const row = deps.store.get('deliveries', id);
    const event = row && eventIn(deps.store, row.eventId);
    const strike = event && deps.faults.ofWebhook(event.type);
    switch (strike?.fault) {
      case 'drop':
        return forget(id);
      case 'double':
        doubled.add(id);
        return enqueue(id);
      case 'delay':
        return later(id, strike.ms);
      case 'reorder':
        heldBack.push(id);
        // Nothing later may ever come.
        return later(id, strike.ms);
      default:
        return enqueue(id);
    }
  }

  function forget(id: string): void {
    deps.store.transact((trx) => trx.remove('deliveries', id));
    void written().then(tellWaiters);
  }

  /** Something later was sent, so those that were to come after it may go. */
  function letGo(waiting: readonly string[]): void {
    for (const id of waiting) {
      const timer = timers.get(id);
      if (timer === undefined || !heldBack.includes(id)) continue;
      clearTimeout(timer);
      timers.delete(id);
      enqueue(id);
    }
  }

  /** Lost with a crash, this means one delivery too many, which Stripe's receivers must bear anyway. */
  function written(): Promise<void> {
    return deps.store
      .durable()
      .catch((error: unknown) => deps.log(`The Stripe stand-in cannot write: ${String(error)}`));
  }

  function enqueue(id: string): void {
    if (heldBack.includes(id)) heldBack.splice(heldBack.indexOf(id), 1);
    const endpoint = deps.store.get('deliveries', id)?.endpoint;
    if (endpoint === undefined) return;
    const queue = queues.get(endpoint) ?? [];
    queues.set(endpoint, queue);
    queue.push(id);
    pump(endpoint);
  }

  function pump(endpoint: number): void {
    const queue = queues.get(endpoint) ?? [];
    const url = urls[endpoint];
    while (!closed && url !== undefined && queue.length > 0 && (busy.get(endpoint) ?? 0) < MAX_IN_FLIGHT) {
      const id = queue.shift() ?? '';
      const row = deps.store.get('deliveries', id);
      if (row === undefined) continue;
      busy.set(endpoint, (busy.get(endpoint) ?? 0) + 1);
      const waiting = [...heldBack];
      const sending = send(id, row, url).finally(() => {
        busy.set(endpoint, (busy.get(endpoint) ?? 1) - 1);
        inFlight.delete(id);
        letGo(waiting);
        pump(endpoint);
        tellWaiters();
      });
      inFlight.set(id, sending);
    }
  }

  async function send(id: string, row: DeliveryRow, url: string): Promise<void> {
    const found = eventIn(deps.store, row.eventId);
    const event = found?.event;
    const more = event?.object === 'event' && { pending_webhooks: 1 };
    const payload = JSON.stringify({ ...event, ...more }, null, 2);
    const secret = found?.isConnect === true ? deps.connectSecret : deps.secret;
    const copies = event === undefined ? 0 : doubled.delete(id) ? 2 : 1;
    const [problem = null] = await Promise.all(Array.from({ length: copies }, () => post(url, payload, secret)));
    if (closed) return;
    const delay = deps.retryDelaysMs[row.attempts];
    if (problem === null || delay === undefined) {
      if (problem !== null) deps.log(`Webhook ${event?.type} ${row.eventId} to ${url} given up: ${problem}.`);
      deps.store.transact((trx) => trx.remove('deliveries', id));
    } else {
      if (row.attempts === 0)
        deps.log(`Webhook ${event?.type} ${row.eventId} to ${url} failed, will retry: ${problem}.`);
      const wait = Math.round(delay * (1 + JITTER * Math.random()));
      const next = { ...row, attempts: row.attempts + 1, dueAtMs: Date.now() + wait };
      deps.store.transact((trx) => trx.put('deliveries', id, next));
      later(id, wait);
    }
    await written();
  }

  /** Null when accepted, else what went wrong. */
  async function post(url: string, payload: string, secret: string): Promise<string | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signatureHeader(payload, secret, nowSeconds()),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([abort.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? null : `HTTP ${response.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause.message || cause.name : String(cause);
    }
  }

  function later(id: string, delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(id);
      enqueue(id);
    }, delayMs);
    timer.unref();
    timers.set(id, timer);
  }

  function isSettled(): boolean {
    if (inFlight.size > 0) return false;
    return [...deps.store.entries('deliveries')].every(([, row]) => urls[row.endpoint] === undefined);
  }

  function tellWaiters(): void {
    if (waiters.length === 0 || !isSettled()) return;
    for (const waiter of waiters) waiter();
    waiters = [];
  }

  for (const [id, row] of deps.store.entries('deliveries')) later(id, Math.max(0, row.dueAtMs - Date.now()));

  return {
    enqueue: (ids) => ids.forEach(begin),
    endpoints: () => urls.length,
    setUrls(next) {
      urls = [...next];
      for (const endpoint of queues.keys()) pump(endpoint);
      tellWaiters();
    },
    settled: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        tellWaiters();
      }),
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      abort.abort();
      await Promise.all(inFlight.values());
    },
  };
}
