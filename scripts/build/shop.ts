// Puts the server's many files into few: reading and linking 1,200 modules takes half of a start
// (docs/decisions/001-runtime-and-start.md).
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { asciiOnly } from './ascii.ts';

const root = path.join(import.meta.dirname, '../..');

/** Loaded when first needed, if at all, or only where they are installed: they stay where npm put them. */
const APART = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@fastify/swagger',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  'fflate',
  'flydrive',
  'nodemailer',
  'openid-client',
  'pg-native',
  'postal-mime',
  'smtp-server',
  'stripe',
  'vite',
];

/** What a source says of its own place stays true: files beside it are found where it was. */
const placesOfSources = (outDir: string): Plugin => ({
  name: 'places-of-sources',
  transform(code, id) {
    const source = path.relative(root, id);
    if (!/^(src|db)\//.test(source) || !/\bimport\.meta\.(dirname|url)\b/.test(code)) return undefined;
    const place = (file: string): string => JSON.stringify(path.relative(outDir, file).split(path.sep).join('/'));
    const moved = code
      .replaceAll('import.meta.dirname', `placeOf(import.meta.dirname, ${place(path.dirname(id))})`)
      .replaceAll('import.meta.url', `addressOf(placeOf(import.meta.dirname, ${place(id)})).href`);
    const imports = `import { join as placeOf } from 'node:path';\nimport { pathToFileURL as addressOf } from 'node:url';`;
    return { code: `${imports}\n${moved}`, map: null };
  },
});

/** Writes `main.js` and `worker.js` with what they share into `outDir`, which is emptied before. */
export const bundleShop = async (outDir: string): Promise<void> => {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [placesOfSources(outDir), asciiOnly()],
    ssr: { noExternal: true, external: APART },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      // Names in stack traces are those of the sources.
      minify: false,
      rolldownOptions: {
        input: ['main', 'worker'].map((name) => path.join(root, `src/server/${name}.ts`)),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
      },
    },
  });
};
