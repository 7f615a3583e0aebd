import type { ClosingManner } from './closing.ts';
import type { Measured } from './platform/metrics.ts';

/** The environment variable by which a worker learns of what the shop has once. */
export const HOUSE_VARIABLE = 'DOGEAR_HOUSE';

/** Where that is; the stand-ins where there are some. */
export interface HouseForWorkers {
  readonly databaseUrl: string;
  readonly payments?: string | undefined;
  readonly mailbox?: string | undefined;
  readonly signIn?: string | undefined;
}

/** What a worker is told. `measure` is answered in the order of asking. */
export type ToWorker =
  { readonly word: 'hurry' | 'go' | 'measure' } | { readonly word: 'close'; readonly manner: ClosingManner };

/** What a worker says: why it could not begin; or that it has closed, and goes as soon as it is told to. */
export type FromWorker =
  | { readonly word: 'refused'; readonly message: string; readonly code: string | undefined }
  | { readonly word: 'closed' }
  | { readonly word: 'measured'; readonly metrics: Measured };
