// Which clock a time goes by is said where it is read: the shop's, `shop_now()`, which a demo can move, or the real
// one, REAL_NOW. SQL's own names for the present say neither.

/** The modules whose deadlines go by the shop's clock. Tests may compare with anything. */
const FILES = /(^|\/)src\/server\/(bookings|messages|orders|payments|payouts|ledger)\/(?!.*\.test\.ts$)/;
const PRESENT =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(current_timestamp|localtimestamp|current_date)\b/i;

const message =
  "Say shop_now() where a deadline or a time that is shown is meant, and REAL_NOW (#server/platform/postgres/clock.ts) for leases, limits and the provider's times.";

export const clocks = {
  create: (context) => {
    if (!FILES.test(context.filename)) return {};
    const check = (node, text) => PRESENT.test(text) && context.report({ node, message });
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};
