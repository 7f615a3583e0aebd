import { AjvCompiler, type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { SerializerSelector, type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { once } from '#server/platform/once.ts';

const validators: BuildCompilerFromPool = (schemas, options) => {
  const compiler = once(() => AjvCompiler()(schemas, options));
  return (route) => {
    const compiled = once(() => compiler()(route));
    const validate = (data: unknown): unknown => {
      const answer = compiled()(data);
      // Fastify reads it from the function that it called.
      Object.assign(validate, { errors: compiled().errors });
      return answer;
    };
    return validate as ReturnType<typeof compiled>;
  };
};

const serializers: SerializerFactory = (schemas, options) => {
  const compiler = once(() => SerializerSelector()(schemas, options));
  return (route) => {
    const compiled = once(() => compiler()(route));
    return (data) => compiled()(data);
  };
};

/**
 * Fastify's own compilers, asked when a route is first called: compiling the schemas of all routes takes longer than everything else
 * that a start does. That each can be compiled is what the tests of every call see.
 */
export const compileWhenCalled = { buildValidator: validators, buildSerializer: serializers };
