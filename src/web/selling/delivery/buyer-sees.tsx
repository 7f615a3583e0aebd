/** What buyers will read of the form as it is filled in. */
export const BuyerSees = ({ lines }: { lines: readonly string[] }) => (
  <section aria-label="What a buyer sees" className="rounded-box border border-base-300 bg-base-200 p-4">
    <p className="mb-1 text-sm font-semibold">What a buyer sees</p>
    {lines.length === 0 ? (
      <p className="text-sm text-muted">It stands here as soon as everything needed is filled in.</p>
    ) : (
      lines.map((line) => (
        <p key={line} dir="auto" className="break-words">
          {line}
        </p>
      ))
    )}
  </section>
);
