/** What the shop's own rules about money are; read once with the rest of the configuration. Percentages in hundredths of a percent. */
export interface MoneyConfig {
  /** What the shop keeps of a sale. */
  readonly commissionBasisPoints: number;
  /** What the provider is expected to keep of a payment: a share and a fixed part. */
  readonly feeBasisPoints: number;
  readonly feeCents: number;
  /** How often unpaid bookings with a payment intent are compared with the provider. */
  readonly reconcileSeconds: number;
  /** How often everything is compared with the provider, both ways. */
  readonly reconcileAllSeconds: number;
}

type Env = Readonly<Record<string, string | undefined>>;

const valueOf = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const percent = (env: Env, name: string, fallback: number, max: number, problems: string[]): number => {
  const text = valueOf(env, name) ?? String(fallback);
  const [whole = '', fraction = ''] = text.split('.');
  const basisPoints = /^\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(whole) * 100 + Number(fraction.padEnd(2, '0')) : -1;
  if (basisPoints >= 0 && basisPoints <= max * 100) return basisPoints;
  problems.push(
    `${name} is "${text}", but must be a percentage from 0 to ${max} with at most two decimals, such as 2.9.`,
  );
  return fallback * 100;
};

const wholeNumber = (
  env: Env,
  name: string,
  fallback: number,
  [min, max]: [number, number],
  problems: string[],
): number => {
  const text = valueOf(env, name) ?? String(fallback);
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  problems.push(`${name} is "${text}", but must be a whole number from ${min} to ${max}.`);
  return fallback;
};

/** Reads COMMISSION_PERCENT, STRIPE_FEE_PERCENT, STRIPE_FEE_CENTS, RECONCILE_SECONDS and RECONCILE_ALL_SECONDS; what is wrong goes into `problems`. */
export const readMoney = (env: Env, problems: string[]): MoneyConfig => ({
  commissionBasisPoints: percent(env, 'COMMISSION_PERCENT', 0, 50, problems),
  feeBasisPoints: percent(env, 'STRIPE_FEE_PERCENT', 2.9, 20, problems),
  feeCents: wholeNumber(env, 'STRIPE_FEE_CENTS', 30, [0, 1_000], problems),
  reconcileSeconds: wholeNumber(env, 'RECONCILE_SECONDS', 600, [1, 86_400], problems),
  reconcileAllSeconds: wholeNumber(env, 'RECONCILE_ALL_SECONDS', 86_400, [1, 604_800], problems),
});
