import type { Deed } from '#standins/stripe/api/call.ts';
import type { Store } from './store.ts';

interface DeedDeps {
  store: Store;
  endpoints: () => number;
  deliver: (ids: string[]) => void;
}

/** Does what no call of the API brought about (a bank's answer, a customer's dispute), with its events and webhooks. */
export type DoDeed = <Result>(work: (deed: Deed) => Result) => Promise<Result>;

/** Deeds are told only when they are on disk, like everything else. */
export function createDeeds({ store, endpoints, deliver }: DeedDeps): DoDeed {
  return async (work) => {
    const deliveries: string[] = [];
    const result = store.transact((trx) =>
      work({ trx, requestId: null, idempotencyKey: null, endpoints: endpoints(), deliveries }),
    );
    await store.durable();
    deliver(deliveries);
    return result;
  };
}
