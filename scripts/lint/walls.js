import { clocks } from './clocks.js';
import { comments } from './comments.js';
import { wallBetween } from './rooms.js';
import { writing } from './writing.js';

const inProject = (filename) => filename.slice(Math.max(0, filename.lastIndexOf('/src/') + 1)).replace(/^\.\//, '');

const walls = {
  create: (context) => {
    const file = inProject(context.filename);
    const check = (node, source, typeOnly) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const message = wallBetween(file, source.value, typeOnly);
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
    };
  },
};

/**
 * oxlint plugin: the walls between rooms, the one way to write times and prices, which clock SQL reads, and the width
 * of comments.
 */
export default { meta: { name: 'dogear' }, rules: { clocks, comments, walls, writing } };
