import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

/** What may stand in a file instead of the environment, named by the same variable with `_FILE`: container hosts hand secrets over so. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_MIGRATE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_SECRET',
] as const;

/** The environment with the secrets of files in it; what is wrong with one goes into `problems`, never what is in it. */
export const withSecretFiles = (env: Env, problems: string[]): Env => {
  const whole: Record<string, string | undefined> = { ...env };
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) {
      problems.push(`Both ${name} and ${name}_FILE are given: one of them is enough.`);
      continue;
    }
    try {
      whole[name] = readFileSync(file, 'utf8').trim();
      if (whole[name] === '') problems.push(`${name}_FILE names ${file}, which is empty.`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      problems.push(`${name}_FILE names ${file}, which cannot be read (${code}).`);
    }
  }
  return whole;
};
