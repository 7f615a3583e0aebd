import type { TestApp } from '#test/app.ts';
import type { TestUser } from '#test/make.ts';
import type { Caller, Scene } from './scene.ts';

/** What a call needs to be made at all. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Cell {
  readonly t: TestApp;
  readonly scene: Scene;
  /** Whoever calls; the buyer where no one does. */
  readonly me: TestUser;
  /** The address a call claims to be about: the caller's own, and the owner's where another calls. */
  readonly claimed: string;
}

/** The status expected of each caller. */
type Statuses = readonly [none: number, buyer: number, seller: number, admin: number, other: number | undefined];

export interface Row {
  readonly call: string;
  readonly statuses: Statuses;
  /** Who `other` is. */
  readonly other: 'buyer' | 'seller';
  /** Each caller is somebody of their own, whom the call may change. */
  readonly fresh: boolean;
  /** What deleted, expired and ended get where that is not what no one gets. */
  readonly dead: readonly [deleted: number, expired: number, ended: number] | undefined;
  /** What stands in the answers to these callers and to no other. */
  readonly shows: { readonly what: (scene: Scene) => string; readonly to: readonly Caller[] } | undefined;
  readonly send: (cell: Cell) => Sent | Promise<Sent>;
}

type More = Partial<Pick<Row, 'other' | 'fresh' | 'dead' | 'shows' | 'send'>>;

export const row = (call: string, statuses: Statuses, more: More = {}): Row => ({
  call,
  statuses,
  other: more.other ?? 'buyer',
  fresh: more.fresh ?? false,
  dead: more.dead,
  shows: more.shows,
  send: more.send ?? (() => ({})),
});
