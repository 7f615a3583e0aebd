// Pages as the server writes them, to be read by tests: a tree of elements, without a browser.

export interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (Element | string)[];
}

const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
/** Their text is no markup. */
const RAW = /<(script|style)\b([^>]*)>[\s\S]*?<\/\1>/g;
const TOKEN = /<!--[\s\S]*?-->|<!doctype[^>]*>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');

const attributesIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      decoded(value),
    ]),
  );

/** The tree of a page whose elements are all closed, as React writes them; throws where one is not. */
export const parse = (html: string): Element => {
  const root = { tag: '', attributes: new Map<string, string>(), children: [] as (Element | string)[] };
  const open = [root];
  for (const [, closed, tag, attributes = '', selfClosed, text] of html.replaceAll(RAW, '').matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.children.push(decoded(text));
    else if (tag !== undefined) {
      const element = { tag: tag.toLowerCase(), attributes: attributesIn(attributes), children: [] };
      parent.children.push(element);
      if (!VOID.has(element.tag) && selfClosed === '') open.push(element);
    } else if (closed !== undefined && open.pop()?.tag !== closed.toLowerCase()) {
      throw new Error(`</${closed}> closes something else`);
    }
  }
  return root;
};

/** All elements under `within`, in the order they stand. */
const everything = (within: Element): Element[] =>
  within.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...everything(child)]));

const written = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : written(child))).join('');

/** The text of an element as it is read: in one line. */
export const textOf = (element: Element): string => written(element).replaceAll(/\s+/g, ' ').trim();

/** The elements called `tag`, those whose attributes are as given. */
export const all = (within: Element, tag: string, attributes: Record<string, string> = {}): Element[] =>
  everything(within).filter(
    (element) =>
      element.tag === tag &&
      Object.entries(attributes).every(([name, value]) => element.attributes.get(name) === value),
  );

/** The first of them; throws when there is none. */
export const one = (within: Element, tag: string, attributes: Record<string, string> = {}): Element => {
  const [found] = all(within, tag, attributes);
  if (found === undefined) throw new Error(`there is no ${tag} ${JSON.stringify(attributes)}`);
  return found;
};

export const textsOf = (within: Element, tag: string, attributes?: Record<string, string>): string[] =>
  all(within, tag, attributes).map(textOf);

/** Where the links called `text` lead. */
export const linksOf = (within: Element, text: string): string[] =>
  all(within, 'a')
    .filter((link) => textOf(link) === text || link.attributes.get('aria-label') === text)
    .map((link) => link.attributes.get('href') ?? '');

/** The section that is labelled by a heading with this text; undefined when there is none. */
export const sectionOf = (within: Element, heading: string): Element | undefined =>
  everything(within).find((element) => {
    const id = element.attributes.get('aria-labelledby');
    return (
      id !== undefined && everything(element).some((one) => one.attributes.get('id') === id && textOf(one) === heading)
    );
  });

/** The field with this label; undefined when there is none. */
export const fieldOf = (within: Element, label: string): Element | undefined => {
  const id = all(within, 'label')
    .find((one) => textOf(one) === label)
    ?.attributes.get('for');
  return id === undefined ? undefined : everything(within).find((one) => one.attributes.get('id') === id);
};
