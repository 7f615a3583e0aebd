// That both sides of a comparison do the same work is looked at before it is measured.
import type { Side } from '#lab/bench/serve/references.ts';

const bodyOf = async (side: Side, target: string): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${side.port}${target}`, {
    headers: { accept: target.startsWith('/api/') ? 'application/json' : 'text/html', 'accept-encoding': 'identity' },
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${target} was answered ${answer.status}.`);
  return body;
};

/** What of an answer must be the same: every byte of a list or book, how much a search or a page shows. */
const essenceOf = (target: string, body: string): unknown => {
  if (!target.startsWith('/api/')) return new Set(body.match(/href="\/book\/[\w-]+"/g) ?? []).size;
  return target.startsWith('/api/search') ? (JSON.parse(body) as { listings: unknown[] }).listings.length : body;
};

/** Rejects unless the shop and a reference answer `target` alike. */
export const requireSame = async (shop: Side, reference: Side, target: string): Promise<void> => {
  const [ours, theirs] = [await bodyOf(shop, target), await bodyOf(reference, target)];
  if (essenceOf(target, ours) === essenceOf(target, theirs)) return;
  throw new Error(`The shop and the reference answer ${target} differently.`);
};
