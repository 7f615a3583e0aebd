/** Sized for a small machine that also runs the shop; see PostgreSQL's documentation of each name. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // It writes to the file we open for it: a collector of its own outlives the server, and is left behind when we end.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // The detail of a refused row would put people's addresses into the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  password_encryption: 'scram-sha-256',
  cluster_name: 'dogear',
};

/** The settings as arguments; `overrides` win (tests give up durability for speed). */
export const settingArgs = (overrides: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({ ...SETTINGS, ...overrides }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
