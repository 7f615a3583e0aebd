import { totalmem } from 'node:os';

/** What PostgreSQL keeps of the tables itself: of the memory of the machine or container, which the shop needs, too. */
const BUFFERS = { share: 1 / 16, leastMb: 128, mostMb: 1_024 };

/**
 * `shared_buffers` for a machine with so many bytes of memory. What is not in them is copied from the system's cache
 * each time.
 */
export const buffersFor = (memoryBytes: number): string => {
  const wanted = Math.floor((memoryBytes * BUFFERS.share) / 2 ** 20);
  return `${Math.min(BUFFERS.mostMb, Math.max(BUFFERS.leastMb, wanted))}MB`;
};

/** Over PostgreSQL's own, which are durable: sized for a small machine that also runs the shop. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: buffersFor(Math.min(totalmem(), process.constrainedMemory() || totalmem())),
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_checkpoints: 'off',
  // The detail of a refused row would put users' addresses into the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  cluster_name: 'dogear',
};

/** The settings as arguments; `overrides` win (tests give up durability for speed). */
export const settingArgs = (overrides: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({ ...SETTINGS, ...overrides }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
