import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** What every page loads, in two files instead of thirty: the libraries, which change rarely, and our own base. */
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]/ },
  {
    name: 'base',
    test: /src[\\/](contract|web[\\/](ui|api|shell(?![\\/](site-layout|page-boundary|not-found|dashboard))))[\\/]|node_modules[\\/]typebox[\\/]/,
  },
];

export default defineConfig({
  publicDir: 'src/web/public',
  // Every asset is a file of its own: the pages' policy has no place for data: fonts or scripts.
  build: { assetsInlineLimit: 0 },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Named, because Vite's first look at the sources finds it too late and would reload the first page.
  optimizeDeps: { include: ['typebox'] },
  plugins: [tailwindcss(), reactRouter()],
});
