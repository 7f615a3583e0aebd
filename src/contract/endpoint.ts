import type { Static, TObject, TSchema } from 'typebox';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the API as a value: what goes in, what comes out, and what a refusal keeps. */
export interface EndpointSpec {
  readonly method: Method;
  /** Path below `/api`, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** Who may call it, in words; shown in the OpenAPI document. */
  readonly access: string;
  /** What a key of a program must be good for to make it; absent: no key may. */
  readonly scope?: 'stock:read' | 'stock:write' | 'orders:read';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** True where the call may be made without its body. */
  readonly optionalBody?: true;
  /** The file that is sent as it is instead of JSON, which the route reads itself. */
  readonly upload?: { readonly types: readonly string[] };
  /** Status of a successful answer. */
  readonly status: number;
  /** Another status of the same answer. */
  readonly otherStatus?: number;
  readonly answer: TSchema;
  /** The file to keep that is answered instead of JSON; `otherType` where it may be of another. */
  readonly file?: { readonly type: string; readonly name: string; readonly otherType?: string };
  /** The type of what is answered piece by piece instead of JSON, for as long as it is listened to. */
  readonly stream?: string;
  /** The documented keys with empty values that stand beside `error` in a refusal; absent for lists. */
  readonly refused?: Readonly<Record<string, unknown>>;
  /** True when the answer holds personal data: sent with `Cache-Control: no-store`. */
  readonly personal: boolean;
}

/**
 * What a page needs of an endpoint to call it: all that is left of it in the built pages
 * (scripts/build/lean-contract.ts).
 */
export type CallableSpec = Pick<EndpointSpec, 'method' | 'path' | 'body' | 'status'>;

/** Declares an endpoint, keeping its exact type. */
export const endpoint = <const S extends EndpointSpec>(spec: S): S => spec;

type Part<K extends string, S> = S extends TSchema ? { [P in K]: Static<S> } : unknown;

/** What a caller of `E` passes: `{ params?, query?, body? }`, each present only where the endpoint declares it. */
export type Input<E extends EndpointSpec> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  (E extends { readonly optionalBody: true } ? Partial<Part<'body', E['body']>> : Part<'body', E['body']>);

/** What a successful call of `E` answers. */
export type Answer<E extends EndpointSpec> = Static<E['answer']>;

/** The path of `E` below `/api` with its parameters filled in and its query appended. */
export const pathOf = (
  spec: Pick<EndpointSpec, 'path'>,
  input: { params?: Record<string, unknown>; query?: Record<string, unknown> },
): string => {
  const path = spec.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
};
