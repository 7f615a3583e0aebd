import { Time } from '#web/shell/data/time.tsx';

/** A sentence with the deadline in the place of its `{at}`. */
export const DeadlineText = ({ text, at }: { text: string; at: string | undefined }) => {
  const [before = '', after] = text.split('{at}');
  if (after === undefined || at === undefined) return text.replace(' by {at}', '').replace(' until {at}', '');
  return (
    <>
      {before}
      <strong className="font-semibold">
        <Time at={at} as="deadline" />
      </strong>
      {after}
    </>
  );
};
