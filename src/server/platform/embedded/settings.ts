import { totalmem } from 'node:os';

const MB = 1_048_576;
/** What PostgreSQL keeps of the tables itself: of the machine's memory, which the shop and the system's own cache need too. */
const BUFFERS = { share: 1 / 16, leastMb: 128, mostMb: 1_024 };

/** `shared_buffers` for a machine with so many bytes of memory. What is not in them is copied from the system's cache each time. */
export const buffersFor = (memoryBytes: number): string => {
  const wanted = Math.floor((memoryBytes * BUFFERS.share) / MB);
  return `${Math.min(BUFFERS.mostMb, Math.max(BUFFERS.leastMb, wanted))}MB`;
};

/** What the machine has, or the container that this runs in may have. */
const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

/** Sized for a small machine that also runs the shop; see PostgreSQL's documentation of each name. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: buffersFor(memoryBytes()),
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
