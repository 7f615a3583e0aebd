import { Time, type TimeProps } from './time.tsx';

interface Props {
  text: string;
  at: string | undefined;
  /** How the time is written. */
  as?: TimeProps['as'];
}

/** A sentence with a time in the place of its `{at}`. */
export const DeadlineText = ({ text, at, as = 'deadline' }: Props) => {
  const [before = '', after] = text.split('{at}');
  if (after === undefined || at === undefined) {
    return text.replace(/(,| by| until| at the latest)? \{at\}/, '');
  }
  return (
    <>
      {before}
      <strong className="font-semibold">
        <Time at={at} as={as} />
      </strong>
      {after}
    </>
  );
};
