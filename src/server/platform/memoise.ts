/** A function that makes its value when first asked, and gives the same from then on. */
export const memoise = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined;
  return () => (made ??= { value: make() }).value;
};
