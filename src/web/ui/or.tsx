/** Between two ways to the same. */
export const Or = () => (
  <div className="flex items-center gap-3 text-sm text-muted" aria-hidden="true">
    <span className="h-px flex-1 bg-base-300" />
    or
    <span className="h-px flex-1 bg-base-300" />
  </div>
);
