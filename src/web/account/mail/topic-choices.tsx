import { CheckField } from '#web/ui/check-field.tsx';
import { CHOSEN_TOPICS, TOPICS, type ChosenTopicId } from '#contract/notices/topics.ts';

const ALWAYS = TOPICS.filter(({ isAlwaysMailed }) => isAlwaysMailed).map(({ label }) => label);

interface Props {
  notMailed: readonly ChosenTopicId[];
  disabled?: boolean;
  onChange: (notMailed: ChosenTopicId[]) => void;
}

/** A box for each topic whose mails can be chosen, and which are always sent. */
export const TopicChoices = ({ notMailed, disabled, onChange }: Props) => (
  <fieldset className="flex flex-col gap-1" disabled={disabled}>
    <legend className="sr-only">What is mailed to you</legend>
    {CHOSEN_TOPICS.map(({ id, label, about }) => (
      <CheckField
        key={id}
        label={label}
        hint={about}
        checked={!notMailed.includes(id)}
        onChange={({ currentTarget }) => {
          const others = notMailed.filter((topic) => topic !== id);
          onChange(currentTarget.checked ? others : [...others, id]);
        }}
      />
    ))}
    <p className="text-sm text-muted">Always mailed: {ALWAYS.join(', ').toLowerCase()}.</p>
  </fieldset>
);
