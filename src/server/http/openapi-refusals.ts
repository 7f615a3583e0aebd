import { ErrorBody } from '#contract/errors.ts';
import { sessionCookieName, type Guard } from './auth.ts';

/** What every operation of the document is told beside what its route says. */
interface Operation {
  operationId?: string;
  tags?: string[];
  parameters?: { name: string; in: string }[];
  security?: Record<string, string[]>[];
  responses?: Record<string, Answer>;
}

export interface OpenApiDocument {
  tags?: { name: string; description: string }[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, unknown>; schemas?: unknown; responses?: Record<string, unknown> };
}

/** The proofs a guard takes; an empty one is none. */
const PROOFS: Readonly<Record<Guard, Record<string, string[]>[]>> = {
  anyone: [{}, { accessToken: [] }],
  viewer: [{ accessToken: [] }],
  buyer: [{ accessToken: [] }],
  seller: [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  'seller or admin': [{ accessToken: [] }],
  session: [{ accessToken: [] }, { session: [] }],
  leaving: [{ accessToken: [] }, { session: [] }],
  cookie: [{ session: [] }],
  'own-check': [],
};

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request cannot be read, or something in it is wrong; `fields` says what',
  401: 'Nobody is signed in, or the proof of it is not believed',
  403: 'Whoever is signed in may not do this',
  404: 'There is nothing here, or nothing that this caller may know of',
  409: 'Something else has happened meanwhile; `code` says what',
  429: 'Too many requests',
  500: 'A defect of the shop',
  default: 'Refused; `code` says why',
};

const retryAfter = {
  'Retry-After': {
    description: 'Seconds until it is worth trying again',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
};

const refusal = (description: string, isLimit: boolean) => ({
  description,
  ...(isLimit && { headers: retryAfter }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});

/** `GET /api/categories/{id}` becomes `getCategoriesById`. */
const operationIdOf = (method: string, path: string): string =>
  method +
  path
    .replace(/^\/api/, '')
    .split(/[/_.]/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = part.replace(/^\{(.*)\}$/, 'by-$1');
      return name.replace(/(^|-)([a-zA-Z])/g, (_, _dash: string, letter: string) => letter.toUpperCase());
    })
    .join('');

/** What a route says of itself beside its schema. */
export interface RouteFacts {
  readonly guard?: Guard;
  readonly fileType?: string;
}

interface Answer {
  content?: Record<string, { schema?: { description?: string; type?: string } }>;
  $ref?: string;
}

/** An answer that is a file says of which type in its route, or in the description of its schema; the document says it in its place. */
const answersOf = (responses: Record<string, Answer>, fileType: string | undefined): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => {
      const type = fileType?.split(';')[0] ?? answer.content?.['application/json']?.schema?.description ?? '';
      const isFile = /^(application|text)\/[\w+-]+$/.test(type);
      return [status, isFile ? { ...answer, content: { [type]: { schema: { type: 'string' } } } } : answer];
    }),
  );

/**
 * Two paths that differ in nothing but what a parameter is called are one to whoever reads the document (OpenAPI 3.1, 4.8.8.2): the later
 * one's operations move to the first, and their parameter takes its name. On the wire a parameter in a path has no name.
 */
const joinEquivalent = (paths: Record<string, Record<string, Operation>>): void => {
  const known = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    const shape = path.replace(/\{\w+\}/g, '{}');
    const first = known.get(shape) ?? path;
    known.set(shape, first);
    if (first === path) continue;
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const renamed = new Map(names(path).map((name, place) => [name, names(first)[place] ?? name]));
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        if (parameter.in === 'path') parameter.name = renamed.get(parameter.name) ?? parameter.name;
      }
    }
    Object.assign((paths[first] ??= {}), operations);
    delete paths[path];
  }
};

/** Adds to the document what holds for all calls: how each may be refused, which proof it takes, what it is called. */
export const describeRefusals = (
  document: OpenApiDocument,
  routes: ReadonlyMap<string, RouteFacts>,
  https: boolean,
): OpenApiDocument => {
  const responses = Object.fromEntries(
    Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/Refusal-${status}` }]),
  );
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const { guard, fileType } = routes.get(`${method} ${path}`) ?? {};
      operation.operationId = operationIdOf(method, path);
      if (guard !== undefined) operation.security = PROOFS[guard];
      operation.responses = { ...responses, ...answersOf(operation.responses ?? {}, fileType) };
    }
  }
  joinEquivalent(document.paths ?? {});
  const tags = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.tags ?? []),
  );
  document.tags = [...new Set(tags)].map((name) => ({ name, description: `Calls below /api/${name}` }));
  const components = (document.components ??= {});
  components.securitySchemes = {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'From GET /jwt, for ten minutes; issued and checked by RFC8725.',
    },
    session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(https) },
  };
  components.schemas = { ...(components.schemas as object | undefined), Refusal: ErrorBody };
  components.responses = Object.fromEntries(
    Object.entries(REFUSALS).map(([status, text]) => [`Refusal-${status}`, refusal(text, status === '429')]),
  );
  return document;
};
