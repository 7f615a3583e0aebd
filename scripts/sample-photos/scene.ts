// What a sample photo shows, as HTML: a used book on a table, drawn from its title and author alone.
import { createHash } from 'node:crypto';
import type { PhotoCaption } from '#contract/catalog/photo-rules.ts';

export type SceneKind = Exclude<PhotoCaption, 'back'>;

export interface Scene {
  readonly kind: SceneKind;
  readonly title: string;
  readonly authors: string;
  /** From 0, as new, to 1, much read. */
  readonly wear: number;
}

/** Pixels: the gallery shows photos at 3 : 4; a card, at 2 : 3, cuts off nothing of the book or the mark. */
export const sizeOf = (kind: SceneKind): { readonly width: number; readonly height: number } =>
  kind === 'front' ? { width: 480, height: 640 } : { width: 640, height: 480 };

type Pair = readonly [cloth: string, ink: string];
const CLOTHS: readonly [Pair, ...Pair[]] = [
  ['#7d2b2b', '#f3e3c3'],
  ['#1f3d5a', '#efe6d2'],
  ['#2e4a38', '#f0e3bd'],
  ['#d9b44a', '#2a2118'],
  ['#e7dcc6', '#5a1f1f'],
  ['#3b2f4a', '#e9d9b5'],
  ['#b5532d', '#fbeed7'],
  ['#20262b', '#d8b25c'],
  ['#c9d2c0', '#22362c'],
  ['#5b6f86', '#fdf6e6'],
];
/** Grain of the table: colour, and how fine it runs along and across. */
type Table = readonly [colour: string, grain: string, strength: number];
const TABLES: readonly [Table, ...Table[]] = [
  ['#8a5f3c', '0.006 0.16', 0.55],
  ['#5c3d29', '0.004 0.11', 0.6],
  ['#c9a77c', '0.005 0.13', 0.45],
  ['#b9b4a8', '0.35 0.35', 0.3],
  ['#59646b', '0.3 0.42', 0.3],
  ['#d8cfc0', '0.02 0.03', 0.22],
];
const LETTERS = ['DejaVu Serif', 'Liberation Serif', 'DejaVu Sans Condensed', 'Liberation Sans Narrow'] as const;

/** Numbers from 0 to below 1 that depend on `seed` alone. */
const numbersFrom = (seed: string): (() => number) => {
  let count = 0;
  return () => {
    const digest = createHash('sha256').update(`${seed} ${count}`).digest();
    count += 1;
    return digest.readUInt32BE(0) / 2 ** 32;
  };
};

const pick = <T>(list: readonly [T, ...T[]], at: number): T => list[Math.floor(at * list.length)] ?? list[0];
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The title as far as it goes before a colon, which is what stands large on a cover. */
const shortOf = (title: string): string => title.split(/: | or, /)[0] ?? title;

interface Drawn {
  readonly body: string;
  readonly style: string;
}

const scuffs = (next: () => number, wear: number): string =>
  Array.from({ length: Math.round(wear * 26) }, () => {
    const [edge, along] = [Math.floor(next() * 4), next() * 100];
    const place = [
      `left:${along}%;top:-2px`,
      `left:${along}%;bottom:-2px`,
      `top:${along}%;left:-2px`,
      `top:${along}%;right:-2px`,
    ][edge];
    const [wide, high] = [3 + next() * 14, 2 + next() * 4];
    const [w, h] = edge !== undefined && edge > 1 ? [high, wide] : [wide, high];
    return `<s style="${place};width:${w}px;height:${h}px;opacity:${0.3 + next() * 0.5}"></s>`;
  }).join('');

const frontOf = (scene: Scene, next: () => number, cloth: string, ink: string): Drawn => {
  const title = shortOf(scene.title);
  const longest = Math.max(...title.split(' ').map((word) => word.length));
  const size = Math.min(56, 248 / (longest * 0.74), 310 / (Math.sqrt(title.length) * 1.75));
  const turn = (next() - 0.5) * 9;
  // Many authors need the room of the lines.
  const bands = scene.authors.length > 24 ? (['top', 'frame'] as const) : (['top', 'frame', 'rules', 'disc'] as const);
  const band = pick(bands, next());
  return {
    style: `
      .book { left:${68 + next() * 14}px; top:${48 + next() * 20}px; width:326px; height:490px; transform:rotate(${turn}deg);
        background:${cloth}; border-radius:2px 5px 5px 2px; color:${ink};
        box-shadow: 3px 2px 0 #efe5cf, 5px 4px 0 #d9ccb0, 7px 6px 0 #efe5cf, 9px 7px 0 #cbbd9e,
          14px 18px 22px rgb(0 0 0/.5), 34px 46px 70px rgb(0 0 0/.42); }
      .book::before { content:''; position:absolute; inset:0 auto 0 0; width:22px;
        background:linear-gradient(90deg,rgb(0 0 0/.35),rgb(255 255 255/.14) 55%,rgb(0 0 0/.3) 92%,transparent); }
      .book::after { content:''; position:absolute; inset:0; border-radius:inherit;
        background:linear-gradient(${110 + next() * 50}deg,rgb(255 255 255/.26),transparent 42%,rgb(0 0 0/.2)); }
      .words { position:absolute; inset:52px 28px 40px 46px; display:flex; flex-direction:column; text-align:center; }
      h1 { font-size:${size}px; line-height:1.12; margin:${band === 'disc' ? 40 : 16}px 0 0; font-weight:700; overflow-wrap:break-word; }
      p { margin:auto 0 0; font-size:21px; letter-spacing:.06em; }
      .deco { position:absolute; }
      .top { inset:0 0 auto 0; height:34px; background:${ink}; opacity:.85; }
      .frame { inset:26px 16px 26px 34px; border:2px solid ${ink}; outline:1px solid ${ink}; outline-offset:5px; opacity:.75; }
      .rules { left:60px; right:40px; bottom:112px; height:6px; border-block:2px solid ${ink}; opacity:.8; }
      .disc { left:50%; bottom:110px; width:120px; height:120px; margin-left:-48px; border-radius:50%; background:${ink}; opacity:.82; }`,
    body: `<div class="book"><div class="deco ${band}"></div><div class="words"><h1>${escaped(title)}</h1>
      <p>${escaped(scene.authors)}</p></div>${scuffs(next, scene.wear)}</div>`,
  };
};

const spineOf = (scene: Scene, next: () => number, cloth: string, ink: string): Drawn => {
  const title = shortOf(scene.title);
  const size = Math.min(34, 620 / Math.max(12, title.length));
  const creases = Array.from(
    { length: Math.round(1 + scene.wear * 5) },
    () =>
      `<i style="top:${12 + next() * 76}%;opacity:${0.15 + scene.wear * 0.4};transform:rotate(${(next() - 0.5) * 1.2}deg)"></i>`,
  ).join('');
  return {
    style: `
      .book { left:38px; top:${176 + next() * 40}px; width:560px; height:104px; transform:rotate(${(next() - 0.5) * 7}deg);
        background:linear-gradient(180deg,rgb(255 255 255/.32),transparent 30%,rgb(0 0 0/.38)),${cloth}; color:${ink};
        border-radius:7px; display:flex; align-items:center; justify-content:space-between; gap:24px; padding:0 30px;
        box-sizing:border-box; box-shadow:0 10px 12px rgb(0 0 0/.5),0 26px 46px rgb(0 0 0/.5),0 -2px 0 #d8cbb0; }
      .book b { font-size:${size}px; white-space:nowrap; }
      .book span { font-size:15px; letter-spacing:.05em; text-align:right; max-width:150px; }
      .book i { position:absolute; left:4px; right:4px; height:1.5px; background:#f6ecd8; }
      .under { left:10px; top:${290 + next() * 16}px; width:620px; height:70px; transform:rotate(${(next() - 0.5) * 3}deg);
        background:repeating-linear-gradient(180deg,#efe4cb 0 2px,#d7c8a6 2px 4px); border-bottom:9px solid #3c2f26;
        border-top:9px solid #3c2f26; border-radius:3px; box-shadow:0 22px 40px rgb(0 0 0/.5); }`,
    body: `<div class="book under"></div><div class="book"><b>${escaped(title)}</b><span>${escaped(scene.authors)}</span>${creases}${scuffs(next, scene.wear * 0.6)}</div>`,
  };
};

/** Lines of print that are out of focus: words of no language. */
const print = (next: () => number, lines: number, opacity: number): string =>
  Array.from({ length: lines }, (_, line) => {
    const words: string[] = [];
    const isLast = (line + 1) % 7 === 0;
    for (let used = line % 7 === 0 ? 6 : 0; used < (isLast ? 55 : 92);) {
      const wide = 4 + next() * 11;
      words.push(`<u style="width:${wide}%;opacity:${opacity * (0.75 + next() * 0.25)}"></u>`);
      used += wide + 2;
    }
    return `<div class="line">${words.join('')}</div>`;
  }).join('');

const insideOf = (scene: Scene, next: () => number): Drawn => {
  const paper = ['#f4ecd8', '#efe3c6', '#e6d5ae'][Math.min(2, Math.floor(scene.wear * 3))] ?? '#f4ecd8';
  const stroke = `<em style="top:${40 + next() * 30}%;left:12%;width:${30 + next() * 40}%;transform:rotate(${(next() - 0.5) * 2}deg)"></em>`;
  return {
    style: `
      .book { left:22px; top:40px; width:596px; height:400px; transform:perspective(900px) rotateX(14deg) rotate(${(next() - 0.5) * 6}deg);
        display:flex; background:#5a4636; border-radius:6px; padding:5px; box-sizing:border-box; box-shadow:10px 24px 44px rgb(0 0 0/.55); }
      .page { flex:1; position:relative; background:${paper}; padding:34px 30px; box-sizing:border-box; overflow:hidden; }
      .page:first-child { background:linear-gradient(90deg,#0002,transparent 10%,transparent 72%,#0005),${paper}; border-radius:5px 0 0 5px; }
      .page:last-child { background:linear-gradient(270deg,#0002,transparent 10%,transparent 72%,#0005),${paper}; border-radius:0 5px 5px 0; }
      .page small { display:block; text-align:center; font-size:11px; color:#40352a; letter-spacing:.12em; margin-bottom:16px; }
      .line { display:flex; gap:2%; height:6px; margin-bottom:9px; }
      .line u { height:4px; background:#2c241c; border-radius:2px; filter:blur(1.1px); }
      .line:nth-child(8n+2) { padding-left:6%; }
      em { position:absolute; height:2.5px; background:#35507c; opacity:${scene.wear > 0.3 ? 0.7 : 0}; border-radius:2px; }`,
    body: `<div class="book"><div class="page"><small>${escaped(scene.authors.toUpperCase())}</small>${print(next, 20, 0.72)}</div>
      <div class="page"><small>${escaped(shortOf(scene.title).toUpperCase())}</small>${print(next, 20, 0.72)}${stroke}</div></div>`,
  };
};

/** The corner of the cover, from near by. */
const damageOf = (scene: Scene, next: () => number, cloth: string, ink: string): Drawn => {
  const creases = Array.from(
    { length: 3 },
    (_, at) =>
      `<path d="M${430 + at * 34 + next() * 20} 60 Q${470 + next() * 40} ${150 + at * 20} ${560} ${170 + at * 36 + next() * 20}" stroke="#f2e7d2" stroke-width="${1 + next() * 2.5}" fill="none" opacity="${0.5 + next() * 0.4}"/>`,
  ).join('');
  return {
    style: `
      .book { left:-210px; top:70px; width:770px; height:700px; transform:rotate(${-4 + next() * 8}deg); color:${ink};
        background:linear-gradient(200deg,rgb(255 255 255/.28),transparent 45%,rgb(0 0 0/.3)),${cloth};
        border-radius:4px 26px 4px 4px; box-shadow:5px -2px 0 #e9dec5,9px -1px 0 #cfc09e,13px 0 0 #e9dec5,30px 26px 46px rgb(0 0 0/.55); }
      .book b { position:absolute; left:230px; top:190px; font-size:74px; line-height:1.05; width:520px; filter:blur(1px); opacity:.9; }
      .worn { position:absolute; right:-4px; top:-4px; width:74px; height:60px; filter:blur(1.5px);
        background:radial-gradient(circle at 90% 10%,#efe4cc 0 34%,#d9c8a5 48%,transparent 66%); }
      svg.lines { position:absolute; inset:0; width:100%; height:100%; filter:blur(.4px); left:190px; }`,
    body: `<div class="book"><b>${escaped(shortOf(scene.title))}</b><div class="worn"></div>
      <svg class="lines" viewBox="0 0 770 700">${creases}</svg>${scuffs(next, 1)}</div>`,
  };
};

/** A page of exactly the size of the photo; the same scene is the same page each time. */
export const pageOf = (scene: Scene): string => {
  const cover = numbersFrom(`cover ${scene.title}`);
  const [cloth, ink] = pick(CLOTHS, cover());
  const letters = pick(LETTERS, cover());
  const next = numbersFrom(`${scene.kind} ${scene.title}`);
  const [table, grain, strength] = pick(TABLES, next());
  const draw = { front: frontOf, spine: spineOf, inside: insideOf, damage: damageOf }[scene.kind];
  const { body, style } = draw(scene, next, cloth, ink);
  const { width, height } = sizeOf(scene.kind);
  const noise = (id: string, frequency: string, seed: number, alpha: number): string =>
    `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${frequency}"
      numOctaves="4" seed="${seed}"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  ${alpha * 2.4} 0 0 0 ${-alpha}"/></filter>`;
  return `<!doctype html><meta charset="utf-8"><style>
    html,body { margin:0; width:${width}px; height:${height}px; overflow:hidden; background:${table}; font-family:'${letters}',serif; }
    .all { position:absolute; inset:0; filter:blur(.35px) saturate(.9) contrast(.97); }
    .table,.light,.grain { position:absolute; inset:0; width:100%; height:100%; }
    .book { position:absolute; }
    .book s { position:absolute; background:#efe4cc; border-radius:3px; filter:blur(.7px); }
    .light { background:radial-gradient(ellipse at ${15 + next() * 70}% ${8 + next() * 25}%,rgb(255 240 208/.34),transparent 55%),
      radial-gradient(ellipse at 50% 50%,transparent 52%,rgb(0 0 0/.42)); }
    .mark { position:absolute; right:${scene.kind === 'front' ? 38 : 10}px; bottom:10px; padding:4px 9px; border-radius:4px; background:rgb(20 16 12/.72);
      color:#fff; font:700 ${scene.kind === 'front' ? 21 : 17}px 'DejaVu Sans',sans-serif; }
    ${style}</style>
    <svg width="0" height="0" style="position:absolute">${noise('wood', grain, Math.floor(next() * 900), strength)}
      ${noise('film', '0.55', Math.floor(next() * 900), 0.11)}</svg>
    <div class="all"><svg class="table"><rect width="100%" height="100%" filter="url(#wood)"/></svg>${body}
      <svg class="grain"><rect width="100%" height="100%" filter="url(#film)"/></svg><div class="light"></div></div>
    <div class="mark">Sample photo</div>`;
};
