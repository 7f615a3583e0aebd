import type { ListingDetail } from '#contract/catalog/catalog.ts';

const read = async <Answer>(url: string): Promise<Answer> => (await fetch(url)).json() as Promise<Answer>;

/** The copies on the first page of the shop that can be booked, as each one's own page tells of them, and fit. */
export const copiesThat = async (
  shop: string,
  fits: (copy: ListingDetail) => boolean,
): Promise<readonly ListingDetail[]> => {
  const list = await read<ListingDetail[]>(`${shop}/api/categories`);
  const free = list.filter(({ status }) => status === 'Available');
  const copies = await Promise.all(free.map(({ _id: id }) => read<ListingDetail>(`${shop}/api/categories/${id}`)));
  return copies.filter(fits);
};
