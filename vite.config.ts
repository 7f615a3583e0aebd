import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** What every page loads, in two files instead of thirty: the libraries, which change rarely, and our own base. */
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]/ },
  {
    name: 'base',
    test: /src[\\/](contract|web[\\/](ui|api|shell(?![\\/](site-layout|page-boundary|not-found|dashboard))))[\\/]|node_modules[\\/]typebox[\\/]/,
  },
];

const EMPTY_SCHEMAS = `const schema = () => ({});
export const Type = new Proxy({}, { get: () => schema });`;

/**
 * The browser takes from the contract's schemas their types and that they are there; only the server checks by them. So the
 * built pages get empty ones, which saves them the schema library, a tenth of their JavaScript.
 */
const schemasAreTypes: Plugin = {
  name: 'schemas-are-types',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: (id) => (id === 'typebox' ? '\0empty-schemas' : undefined),
  load: (id) => (id === '\0empty-schemas' ? EMPTY_SCHEMAS : undefined),
};

export default defineConfig({
  publicDir: 'src/web/public',
  // Every asset is a file of its own: the pages' policy has no place for data: fonts or scripts.
  build: { assetsInlineLimit: 0 },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Named, because Vite's first look at the sources finds it too late and would reload the first page.
  optimizeDeps: { include: ['typebox'] },
  plugins: [schemasAreTypes, tailwindcss(), reactRouter()],
});
