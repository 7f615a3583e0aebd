import { Form, Link } from 'react-router';
import type { NamedPlace, Near } from '#contract/catalog/search.ts';
import { DEFAULT_WITHIN_KM, WITHIN_KM } from '#contract/catalog/search-choices.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { nearText, placeText } from './search-choices.ts';
import { searchPath, withChoice, type SearchState } from './search-state.ts';

const OWN: ReadonlySet<string> = new Set(['near', 'within', 'location']);

/** A place of one's own and how far around it is looked; everything else of the search goes along. */
export const NearForm = ({ state, near }: { state: SearchState; near: Near | null }) => {
  const typed = near?.taken ? placeText(near.taken) : (state.near ?? '');
  return (
    <Form action="/search" className="mt-2 flex flex-col gap-2" preventScrollReset>
      {Object.entries(state).map(
        ([key, value]) => !OWN.has(key) && value !== '' && <input key={key} type="hidden" name={key} value={value} />,
      )}
      <Field
        key={`near${typed}`}
        label="Near"
        name="near"
        autoComplete="off"
        maxLength={200}
        placeholder="A town or city"
        defaultValue={typed}
      />
      <div className="flex items-end gap-2">
        <Select
          key={`within${state.within}`}
          label="Within"
          name="within"
          defaultValue={state.within ?? DEFAULT_WITHIN_KM}
          className="min-w-0 flex-1"
        >
          {WITHIN_KM.map((km) => (
            <option key={km} value={km}>
              {km} km
            </option>
          ))}
        </Select>
        <Button type="submit" look="secondary">
          Find
        </Button>
      </div>
      <p className="text-xs text-muted">
        Places:{' '}
        <a href="https://www.geonames.org" rel="noreferrer" className="text-link">
          GeoNames
        </a>
        ,{' '}
        <a href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer" className="text-link">
          CC BY 4.0
        </a>
      </p>
    </Form>
  );
};

const regionOf = ({ name, region, country }: NamedPlace): string => `${name}, ${region === '' ? country : region}`;

/** Which place of a name was taken, and the others that may be meant. */
export const NearNote = ({ state, near }: { state: SearchState; near: Near | null }) => {
  if (near === null) return null;
  const { taken, others } = near;
  if (taken === null) {
    return <p className="mt-1">We know no place called “{state.near}”. Books are shown whose location begins so.</p>;
  }
  return (
    <p className="mt-1 break-words">
      {nearText(taken, state.within)}.{others.length > 0 && ' There is also '}
      {others.map((place, at) => (
        <span key={place.id}>
          {at > 0 && (at === others.length - 1 ? ' and ' : ', ')}
          <Link
            to={searchPath(withChoice(state, { near: place.id, within: state.within ?? DEFAULT_WITHIN_KM }))}
            preventScrollReset
            className="text-link"
          >
            {regionOf(place)}
          </Link>
        </span>
      ))}
      {others.length > 0 && '.'}
    </p>
  );
};
