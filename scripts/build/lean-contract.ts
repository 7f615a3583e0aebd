// What the built pages take of the contract.
import type { CallableSpec } from '#contract/endpoint.ts';
import type { Plugin } from 'vite';

/** What pages read of an endpoint; of its body they need to know only that there is one. */
const READ_BY_PAGES: ReadonlySet<string> = new Set<keyof CallableSpec>(['method', 'path', 'body', 'status']);

const LIBRARY = 'typebox';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const nodesIn = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const nameOf = (node: unknown): unknown => (isNode(node) && node.type === 'Identifier' ? node['name'] : undefined);

/** A call of the schema library: `Type.Object(…)`. */
const makesSchema = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  isNode(node['callee']) &&
  node['callee'].type === 'MemberExpression' &&
  nameOf(node['callee']['object']) === 'Type';

/** The one argument of `endpoint({…})`. */
const specOf = (node: Node): Node | undefined => {
  if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'endpoint') return undefined;
  return [node['arguments']].flat().find(isNode);
};

const isOfLibrary = (node: Node): boolean =>
  node.type === 'ImportDeclaration' && isNode(node['source']) && node['source']['value'] === LIBRARY;

const editsOf = (code: string, node: Node): Edit[] => {
  if (isOfLibrary(node)) return [{ start: node.start, end: node.end, text: '' }];
  if (makesSchema(node)) return [{ start: node.start, end: node.end, text: '({})' }];
  const spec = specOf(node);
  if (spec === undefined) return nodesIn(node).flatMap((inner) => editsOf(code, inner));
  const kept = nodesIn(spec).filter((part) => READ_BY_PAGES.has(String(nameOf(part['key']))));
  const parts = kept.map((part) => (nameOf(part['key']) === 'body' ? 'body: {}' : code.slice(part.start, part.end)));
  return [{ start: node.start, end: node.end, text: `({ ${parts.join(', ')} })` }];
};

/**
 * Takes schemas, summaries and documented refusals out of the contract for the built pages: only the server checks and
 * describes. It saves every page the schema library and leaves endpoints that a page does not call out of its scripts.
 */
export const leanContract: Plugin = {
  name: 'lean-contract',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    order: 'post',
    filter: { id: /\/src\/contract\/[^.]+\.ts$/ },
    handler(code) {
      const edits = editsOf(code, this.parse(code) as unknown as Node);
      let lean = code;
      for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
        lean = lean.slice(0, start) + text + lean.slice(end);
      }
      return { code: lean, map: null };
    },
  },
  buildEnd() {
    const isThere = [...this.getModuleIds()].some((id) => id.includes(`/node_modules/${LIBRARY}/`));
    if (isThere) this.error('The schema library came into the pages: the contract makes a schema in another way.');
  },
};
