/** How much is new, on the corner of an icon; whoever hears the page is told by the link's name. */
export const CountMark = ({ shown }: { shown: string }) => (
  <span
    aria-hidden
    className="absolute -top-0.5 -right-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs/5 font-semibold text-primary-content"
  >
    {shown}
  </span>
);
