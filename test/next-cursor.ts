/** The cursor of the page after, from an answer's `Link` header. */
export const nextCursor = (link: unknown): string | undefined => {
  const path = /<([^>]*)>; rel="next"/.exec(String(link))?.[1];
  return path === undefined ? undefined : (new URL(path, 'http://shop').searchParams.get('cursor') ?? undefined);
};
