import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound, AppError } from '#server/platform/errors.ts';
import { namesNothing, noteNamesNothing } from './schema-compilers.ts';

/** Deeper nesting than any documented body has; a guard against stack exhaustion. */
const MAX_DEPTH = 8;

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const problemIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : 'holds characters that cannot be stored';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return 'is nested too deeply';
  for (const [key, part] of Object.entries(value)) {
    const problem = isStorable(key) ? problemIn(part, depth + 1) : 'holds characters that cannot be stored';
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const firstBadField = (input: unknown): [string, string] | undefined => {
  if (typeof input !== 'object' || input === null) return undefined;
  for (const [name, value] of Object.entries(input)) {
    const problem = isStorable(name) ? problemIn(value) : 'is not a field';
    if (problem !== undefined) return [isStorable(name) ? name : 'request', problem];
  }
  return undefined;
};

const checkQuery = (request: FastifyRequest): void => {
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (Array.isArray(value)) {
      throw new AppError('bad_request', `${name} is given more than once`, { fields: { [name]: 'Give it once' } });
    }
  }
};

/** Refuses, before any handler, what no field may hold: NUL, lone surrogates, repeated query keys, absurd nesting. */
export const addInputChecks = (app: FastifyInstance): void => {
  // Nothing is waited for, so it costs no promise.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.endpoint === undefined) return done();
    checkQuery(request);
    if (firstBadField(request.params) !== undefined) noteNamesNothing(request.params);
    const bad = firstBadField(request.query) ?? firstBadField(request.body);
    if (bad !== undefined) {
      throw new AppError('bad_request', `${bad[0]} ${bad[1]}`, { fields: { [bad[0]]: `This ${bad[1]}` } });
    }
    return done();
  });
  // After everything else that was sent has been looked at: 400 comes before 404.
  app.addHook('preHandler', (request, _reply, done) => {
    if (namesNothing(request.params)) throw notFound();
    done();
  });
};
