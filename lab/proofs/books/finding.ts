/** Something that must never be, found. */
export interface Finding {
  /** The rule it breaks, as lab/docs/proof.md names it. */
  readonly rule: string;
  readonly says: string;
}

const SHOWN = 5;

/** One finding for all cases of a rule, naming the first few. */
export const findingOf = (rule: string, what: string, cases: readonly string[]): Finding[] =>
  cases.length === 0
    ? []
    : [
        {
          rule,
          says: `${what}: ${cases.slice(0, SHOWN).join(', ')}${cases.length > SHOWN ? ` and ${cases.length - SHOWN} more` : ''}`,
        },
      ];
