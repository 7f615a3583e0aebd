import type { Facets } from '#contract/catalog/search.ts';
import { languageName } from '#contract/catalog/passport/languages.ts';
import { WITHOUTS } from '#contract/catalog/search-choices.ts';
import { Choices, Group, OneOf, SomeOf, YesNo } from './choice-link.tsx';
import { asksForFacts, inWords, WITHOUT_WORDS } from './search-choices.ts';
import { valuesOf, type SearchState } from './search-state.ts';

interface CopyFacetsProps {
  state: SearchState;
  facets: Facets;
}

const sinceWords = (days: number): string => (days === 1 ? 'The last day' : `The last ${days} days`);

const withChosen = <Choice extends { value: string; count: number }>(
  choices: readonly Choice[],
  chosen: readonly string[],
): (Choice | { value: string; count: number })[] => [
  ...choices,
  ...chosen.filter((value) => choices.every((one) => one.value !== value)).map((value) => ({ value, count: 0 })),
];

/** What is known of copies; a group without anything to choose is left out. */
export const CopyFacets = ({ state, facets }: CopyFacetsProps) => {
  const isLeast = facets.more;
  const bindings = withChosen(facets.binding, valuesOf(state, 'binding'));
  const languages = withChosen(facets.language, valuesOf(state, 'language'));
  const withouts = WITHOUTS.map((value) => ({ value, name: WITHOUT_WORDS[value], count: facets.without[value] }));
  const special = [facets.signed, facets.first, facets.jacket].some((count) => count > 0);
  const hasSpecial = special || [state.signed, state.first, state.jacket].includes('1');
  const hasWithout = state.without !== undefined || withouts.some(({ count }) => count > 0);
  return (
    <>
      {bindings.length > 0 && (
        <Group title="Binding">
          <SomeOf
            state={state}
            name="binding"
            choices={bindings.map((one) => ({ ...one, name: inWords(one.value) }))}
            isLeast={isLeast}
          />
        </Group>
      )}
      {hasSpecial && (
        <Group title="Edition and jacket">
          <Choices>
            <YesNo state={state} name="signed" count={facets.signed} isLeast={isLeast}>
              Signed
            </YesNo>
            <YesNo state={state} name="first" count={facets.first} isLeast={isLeast}>
              First edition
            </YesNo>
            <YesNo state={state} name="jacket" count={facets.jacket} isLeast={isLeast}>
              With its jacket
            </YesNo>
          </Choices>
        </Group>
      )}
      {hasWithout && (
        <Group title="Without">
          <SomeOf state={state} name="without" choices={withouts} isLeast={isLeast} />
        </Group>
      )}
      {languages.length > 0 && (
        <Group title="Language">
          <SomeOf
            state={state}
            name="language"
            choices={languages.map((one) => ({ ...one, name: languageName(one.value) }))}
            isLeast={isLeast}
          />
        </Group>
      )}
      {facets.publisher.length > 0 && (
        <Group title="Publisher">
          <OneOf state={state} name="publisher" choices={facets.publisher} isLeast={isLeast} />
        </Group>
      )}
      {asksForFacts(state) && (facets.unknown > 0 || state.unknown === '1') && (
        <Group title="Not known">
          <Choices>
            <YesNo state={state} name="unknown" count={facets.unknown} isLeast={isLeast}>
              Include where not known
            </YesNo>
          </Choices>
        </Group>
      )}
      {facets.seller.length > 1 || state.seller !== undefined ? (
        <Group title="Seller">
          <OneOf state={state} name="seller" choices={facets.seller} isLeast={isLeast} />
        </Group>
      ) : null}
      {facets.since.length > 0 && (
        <Group title="Added">
          <OneOf
            state={state}
            name="since"
            choices={facets.since.map(({ days, count }) => ({ value: String(days), name: sinceWords(days), count }))}
            isLeast={isLeast}
          />
        </Group>
      )}
    </>
  );
};
