/** A seller's name as the way to their page; the name alone where there is none. */
export const SellerLink = ({ name, slug }: { name: string; slug: string }) =>
  slug === '' ? (
    <span dir="auto">{name}</span>
  ) : (
    <a dir="auto" href={`/seller/${encodeURIComponent(slug)}`} className="text-link">
      {name}
    </a>
  );
