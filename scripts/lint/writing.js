// Times, dates, prices and counts read alike wherever they stand, so there is one place that writes each.

/** Where they are made; stand-ins play outside services, which write as those do. Tests may compare with anything. */
const FREE = /(^|\/)src\/contract\/([a-z]+\/)?(time|money|count)\.ts$|(^|\/)src\/standins\/|\.(test|e2e)\.tsx?$/;
const IN_THE_SHOP = /(^|\/)src\//;

const BY_LOCALE = /^toLocale(Date|Time)?String$/;
const FORMATS = ['DateTimeFormat', 'NumberFormat'];

const message =
  'Write times, dates, prices and counts with #contract/time.ts, money.ts and count.ts, on pages with <Time>: they read alike everywhere.';

const nameOf = (node) => (node.computed ? node.property.value : node.property.name);

/** Whether a member is one that writes by a locale of its own: `x.toLocaleString`, `Intl.NumberFormat`. */
const writesItsOwnWay = (node) => {
  const name = nameOf(node);
  return BY_LOCALE.test(name) || (node.object.name === 'Intl' && FORMATS.includes(name));
};

export const writing = {
  create: (context) =>
    IN_THE_SHOP.test(context.filename) && !FREE.test(context.filename)
      ? { MemberExpression: (node) => writesItsOwnWay(node) && context.report({ node, message }) }
      : {},
};
