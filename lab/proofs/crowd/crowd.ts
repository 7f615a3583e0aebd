/** Does `work` for every item, at most `atOnce` at a time. */
export const crowd = async <Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, n: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < items.length; n = next++) {
      const item = items[n];
      if (item !== undefined) await work(item, n);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
};

/** The items in an order that the seed's numbers alone decide. */
export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] => {
  const mixed = [...items];
  for (let n = mixed.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    const [a, b] = [mixed[n], mixed[other]];
    if (a !== undefined && b !== undefined) [mixed[n], mixed[other]] = [b, a];
  }
  return mixed;
};
