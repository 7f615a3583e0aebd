import { createElement, Fragment, type ReactNode } from 'react';

/** What drawings of the server consist of; anything else is left out. */
const TAGS: ReadonlySet<string> = new Set(['svg', 'g', 'rect', 'line', 'text', 'title']);
const PIECE = /<(\/?)([a-z]+)([^<>]*)>|([^<>]+)/g;
const ATTRIBUTE = /([a-z][a-z0-9-]*)="([^"]*)"/g;

const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** `font-size` is `fontSize` to React; `aria-label` stays. */
const nameOf = (name: string): string =>
  name.startsWith('aria-') ? name : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const propsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].flatMap(([, name = '', value = '']) =>
      name === 'style' || name.startsWith('on') ? [] : [[nameOf(name), decoded(value)]],
    ),
  );

interface Open {
  readonly tag: string;
  readonly props: Record<string, string>;
  readonly inside: ReactNode[];
}

const elementsOf = (svg: string): ReactNode[] => {
  const open: Open[] = [{ tag: '', props: {}, inside: [] }];
  for (const [, closes, tag = '', attributes = '', text] of svg.matchAll(PIECE)) {
    const around = open.at(-1);
    if (text !== undefined) around?.inside.push(decoded(text));
    else if (closes === '') open.push({ tag, props: propsOf(attributes), inside: [] });
    else if (open.length > 1) {
      open.pop();
      const outer = open.at(-1)?.inside;
      if (around === undefined || outer === undefined || !TAGS.has(around.tag)) continue;
      outer.push(createElement(around.tag, { ...around.props, key: outer.length }, ...around.inside));
    }
  }
  return open[0]?.inside ?? [];
};

/**
 * A drawing that the server made. Read into elements rather than put in as it is: the pages' policy knows no way to
 * make HTML from text, and whatever else stood in the text would be left out.
 */
export const Drawing = ({ svg }: { svg: string }) => <Fragment>{elementsOf(svg)}</Fragment>;
