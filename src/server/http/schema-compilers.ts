import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { SerializerSelector, type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { memoise } from '#server/platform/memoise.ts';

const namingNothing = new WeakSet<object>();

/**
 * Whether the parameters of a path are none that could name anything: 404, once everything else that was sent is right.
 */
export const namesNothing = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && namingNothing.has(params);

/** Notes that parameters name nothing, so that what is wrong with the rest of the request is told first. */
export const noteNamesNothing = (params: unknown): void => {
  if (typeof params === 'object' && params !== null) namingNothing.add(params);
};

const validators: BuildCompilerFromPool = (schemas, options) => {
  const compiler = memoise(() => AjvCompiler()(schemas, options));
  return (route) => {
    const compiled = memoise(() => compiler()(route));
    // Fastify tells which part of a request a schema is for; its compiler's types do not.
    const isPath = (route as { httpPart?: unknown }).httpPart === 'params';
    const validate = (data: unknown): unknown => {
      const answer = compiled()(data);
      if (isPath && answer === false) {
        noteNamesNothing(data);
        return true;
      }
      // Fastify reads it from the function that it called.
      Object.assign(validate, { errors: compiled().errors });
      return answer;
    };
    return validate as ReturnType<typeof compiled>;
  };
};

const serializers: SerializerFactory = (schemas, options) => {
  const compiler = memoise(() => SerializerSelector()(schemas, options));
  return (route) => {
    const compiled = memoise(() => compiler()(route));
    return (data) => compiled()(data);
  };
};

/**
 * Fastify's own compilers, asked when a route is first called: compiling the schemas of all routes takes longer than
 * everything else that a start does. That each can be compiled is what the tests of every call see.
 */
export const compileWhenCalled = { buildValidator: validators, buildSerializer: serializers };
