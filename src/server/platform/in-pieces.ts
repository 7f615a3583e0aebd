import { setImmediate as others } from 'node:timers/promises';

/** The pieces of a list, in its order. */
export const piecesOf = <Item>(list: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

/** Makes something of each item of a long list, in pieces between which requests of others are answered. */
export const inPieces = async <Item, Made>(
  list: readonly Item[],
  size: number,
  make: (item: Item) => Made,
): Promise<Made[]> => {
  const made: Made[] = [];
  for (const piece of piecesOf(list, size)) {
    for (const item of piece) made.push(make(item));
    await others();
  }
  return made;
};
