// Who may import whom (docs/architecture.md): each room with what it must never import, and the sentence that says so.
// Addresses are as written in the code: `#room/…` across folders, `./…` inside one, a package name otherwise.

const MODULES = [
  'notices',
  'mail',
  'audit',
  'law',
  'identity',
  'catalog',
  'bookings',
  'messages',
  'ledger',
  'payments',
  'orders',
  'sellers',
  'wants',
  'programs',
  'moderation',
  'privacy',
  'demo',
];
const modules = MODULES.join('|');

/**
 * Modules that stand above `name`: arrows point one way, privacy -> moderation -> programs -> wants -> sellers ->
 * orders -> payments -> ledger -> messages -> bookings -> catalog -> identity -> law -> audit, mail -> notices.
 */
const above = (name) => MODULES.slice(MODULES.indexOf(name) + 1).join('|');

const AREAS = ['storefront', 'account', 'buying', 'selling', 'orders', 'messages', 'admin', 'blog'];

const TYPES_ONLY = { typesAllowed: true };

/** @type {{ room: string, files: RegExp, never: { source: RegExp, because: string, typesAllowed?: boolean }[] }[]} */
export const ROOMS = [
  {
    room: 'everywhere',
    files: /./,
    never: [{ source: /(^|\/)\.\.\//, because: 'Cross folders with a # path: ../ hides which room is entered.' }],
  },
  {
    room: 'shop',
    files: /^(src|test|scripts)\//,
    never: [
      { source: /^(#lab|dogear(-lab)?)\//, because: 'The laboratory stands beside the shop, which does not know it.' },
    ],
  },
  {
    room: 'stock',
    files: /^src\/server\/catalog\/stock\/(?!.*\.test\.ts$)/,
    never: [
      {
        source: /^#db\/seed\//,
        because:
          'A stock file lists what the seller says: what makes copies up is for the seed and, handed in, for --demo.',
        ...TYPES_ONLY,
      },
    ],
  },
  {
    room: 'contract',
    files: /^src\/contract\//,
    never: [
      {
        source: /^(?!\.\/|#contract\/|typebox$)/,
        because:
          'The contract is pure data and pure functions: it imports the schema library and itself, nothing else.',
      },
    ],
  },
  {
    room: 'platform',
    files: /^src\/server\/platform\//,
    never: [
      {
        source: /^#(server\/(?!platform\/)|web\/|standins\/)|^fastify$/,
        because: 'Platform knows no domain and no HTTP: it imports the contract, npm and node.',
        ...TYPES_ONLY,
      },
    ],
  },
  {
    room: 'http',
    files: /^src\/server\/http\//,
    never: [
      {
        source: /^#(server\/(?!platform\/|http\/)|web\/|standins\/)/,
        because: 'http speaks HTTP and knows no module: what it needs of one is handed to it by app.ts.',
      },
    ],
  },
  ...MODULES.map((name) => ({
    room: name,
    files: new RegExp(`^src/server/${name}/`),
    never: [
      {
        source: new RegExp(`^#server/(${above(name) || 'none-above'})/`),
        because:
          'Arrows between modules point one way: privacy -> moderation -> programs -> wants -> sellers -> orders -> payments -> ledger -> messages -> bookings -> catalog -> identity -> law -> audit, mail -> notices.',
      },
      {
        source: new RegExp(`^#server/(?!${name}/)(${modules})/(?!.*\\.service\\.ts$)`),
        because: 'Another module is entered by its door, its *.service.ts.',
      },
      { source: /^#(web|standins)\//, because: 'The server knows neither the web nor the stand-ins.' },
    ],
  })),
  {
    room: 'service',
    files: new RegExp(`^src/server/(${modules})/.*\\.service\\.ts$`),
    never: [
      {
        source: /^(fastify|@fastify\/)|^#server\/http\/|\.routes\.ts$/,
        because: 'A service knows no HTTP: it takes (db, viewer, input) and answers or throws an AppError.',
      },
    ],
  },
  ...MODULES.map((name) => ({
    room: 'queries',
    files: new RegExp(`^src/server/${name}/.*\\.queries\\.ts$`),
    never: [
      {
        source: new RegExp(`\\.(service|routes|policy)\\.ts$|^fastify|^#server/(?!platform/|${name}/)`),
        because: 'A query is one SQL statement: it decides nothing and imports platform and its own table.',
      },
    ],
  })),
  {
    room: 'policy',
    files: new RegExp(`^src/server/(${modules})/.*\\.policy\\.ts$`),
    never: [
      {
        source: /^(?!\.\/|#contract\/|#server\/platform\/(viewer|errors)\.ts$)|\.(service|queries|routes)\.ts$/,
        because: 'A policy is pure: (viewer, row) in, yes or no out; no SQL, no HTTP, no node.',
        ...TYPES_ONLY,
      },
    ],
  },
  ...MODULES.map((name) => ({
    room: 'routes',
    files: new RegExp(`^src/server/${name}/.*\\.routes\\.ts$`),
    never: [
      {
        source: new RegExp(`^kysely|^pg$|\\.queries\\.ts$|^#server/(?!${name}/)(${modules})/`),
        because: 'A route is an endpoint, a guard and one service call: no SQL, no other module.',
      },
    ],
  })),
  {
    room: 'web/ui',
    files: /^src\/web\/ui\//,
    never: [
      {
        source: /^(?!\.\/|#web\/ui\/|react$|react\/|react-dom$|react-router$)/,
        because: 'ui holds parts without a domain word: it imports React only, no API, no contract, no area.',
      },
    ],
  },
  {
    room: 'web/api',
    files: /^src\/web\/api\//,
    never: [
      {
        source: /^react$|^react-dom|^#(server|standins)\/|^#web\/(?!api\/)/,
        because: 'web/api is the typed client: it imports the contract; no React, no area, no server.',
      },
    ],
  },
  {
    room: 'web/shell',
    files: /^src\/web\/shell\//,
    never: [
      {
        source: /^#(server|standins)\/|^#web\/(?!(api|ui|shell)\/)/,
        because: 'The shell surrounds every area and imports none of them, nor the server.',
      },
    ],
  },
  ...AREAS.map((name) => ({
    room: 'an area of the web',
    files: new RegExp(`^src/web/${name}/`),
    never: [
      {
        source: new RegExp(`^#(server|standins)/|^#web/(?!(api|ui|shell|${name})/)`),
        because:
          'An area imports its own folder, web/ui, web/api, web/shell and the contract; no other area, no server.',
      },
    ],
  })),
  {
    room: 'web',
    files: /^src\/web\//,
    never: [{ source: /^#(server|standins)\/|^node:/, because: 'The web meets the server through the API only.' }],
  },
  {
    room: 'standins',
    files: /^src\/standins\//,
    never: [
      {
        source: /^#(server|web|contract)\//,
        because: 'A stand-in plays an outside service: it imports npm and node, and is reached over its protocol.',
      },
    ],
  },
];

/** Tests enter by the door and may set up what they like; `web/entry.server.tsx` renders under Node. */
const FREE = /\.(test|e2e)\.tsx?$|^src\/web\/entry\.server\.tsx$/;

/** The sentence a file breaks by importing `source`, or undefined. */
export const wallBetween = (file, source, typeOnly) => {
  if (FREE.test(file)) return undefined;
  for (const { files, never } of ROOMS) {
    if (!files.test(file)) continue;
    const broken = never.find((rule) => rule.source.test(source) && !(typeOnly && rule.typesAllowed));
    if (broken !== undefined) return broken.because;
  }
  return undefined;
};
