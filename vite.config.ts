import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** What every page loads, in two files instead of thirty: the libraries, which change rarely, and our own base. */
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]/ },
  {
    name: 'base',
    test: /src[\\/](contract[\\/](?!guessable)|web[\\/](ui|api|shell(?![\\/](site-layout|page-boundary|not-found|dashboard))))[\\/]|node_modules[\\/]typebox[\\/]/,
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

/** What the router does when the script of a page does not arrive: it reloads the document, and offline there is none. */
const RELOADS = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/;

/** A page that fails in the script's stead, so that its error is one like any other. */
const FAILS = `const fail = () => { throw Object.assign(error, { name: 'RouteModuleError' }); };
return { clientLoader: fail, default: fail };`;

/**
 * Makes a script that does not arrive an error for the error page to show (shell/error-page.tsx): whoever is offline stays in
 * the shop. The router has no setting for it; a release of it that reads otherwise fails the build.
 */
const missingScriptsAreErrors: Plugin = {
  name: 'missing-scripts-are-errors',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!id.endsWith('/react-router/dist/production/lib/dom/ssr/routeModules.js')) return undefined;
    return { code: code.replace(/console\.error\([^;]*\);/g, '').replace(RELOADS, FAILS), map: null };
  },
  generateBundle(_options, bundle) {
    const isDone = Object.values(bundle).some(
      (file) => file.type === 'chunk' && /\{clientLoader:\w+,default:\w+\}/.test(file.code),
    );
    if (!isDone) this.error('React Router loads the scripts of pages in another way than before: look again.');
  },
};

export default defineConfig({
  publicDir: 'src/web/public',
  // Every asset is a file of its own: the pages' policy has no place for data: fonts or scripts.
  build: { assetsInlineLimit: 0 },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Named, because Vite's first look at the sources finds it too late and would reload the first page.
  optimizeDeps: { include: ['typebox'] },
  plugins: [schemasAreTypes, missingScriptsAreErrors, tailwindcss(), reactRouter()],
});
