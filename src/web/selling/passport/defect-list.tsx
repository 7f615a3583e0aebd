import { DEFECT_IDS, DEFECTS, type Defect } from '#contract/catalog/passport/defects.ts';
import type { DefectId, PassportDraft } from '#contract/catalog/passport/passport.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';

/** A photo of the copy that is there already. */
export interface PhotoOffered {
  readonly id: string;
}

type Named = NonNullable<PassportDraft['defects']>[number];

interface Props {
  of: Defect['of'];
  said: PassportDraft;
  onSaid: (more: PassportDraft) => void;
  photos: readonly PhotoOffered[];
}

const Degrees = ({ id, named, onNamed }: { id: DefectId; named: Named; onNamed: (named: Named) => void }) => (
  <div role="radiogroup" aria-label={`How much: ${DEFECTS[id].name}`} className="join flex-wrap">
    {DEFECTS[id].degrees.map(({ degree, word }) => (
      <input
        key={degree}
        type="radio"
        name={`degree-${id}`}
        aria-label={word}
        className="join-item btn min-h-11 border-base-300 checked:border-primary checked:bg-primary checked:text-primary-content"
        checked={named.degree === degree}
        onChange={() => onNamed({ ...named, degree })}
      />
    ))}
  </div>
);

const Details = ({
  id,
  named,
  photos,
  onNamed,
}: {
  id: DefectId;
  named: Named;
  photos: readonly PhotoOffered[];
  onNamed: (named: Named) => void;
}) => (
  <div className="flex flex-col gap-3 pb-3 pl-8">
    {DEFECTS[id].degrees.length > 1 && <Degrees id={id} named={named} onNamed={onNamed} />}
    <Field
      label={`Note on: ${DEFECTS[id].name}`}
      optional
      maxLength={200}
      autoComplete="off"
      value={named.note ?? ''}
      onChange={({ target }) => onNamed({ ...named, note: target.value })}
    />
    {photos.length > 0 && (
      <Select
        label={`Photo of: ${DEFECTS[id].name}`}
        value={photos.some((photo) => photo.id === named.photo) ? (named.photo ?? '') : ''}
        onChange={({ target }) => onNamed({ ...named, photo: target.value === '' ? null : target.value })}
      >
        <option value="">None</option>
        {photos.map((photo, at) => (
          <option key={photo.id} value={photo.id}>
            {at === 0 ? 'Photo 1, the cover' : `Photo ${at + 1}`}
          </option>
        ))}
      </Select>
    )}
  </div>
);

/** A box for every defect; one that is ticked says how much, with a note and a photo. */
export const DefectList = ({ of, said, onSaid, photos }: Props) => {
  const named = new Map((said.defects ?? []).map((one) => [one.defect, one] as const));
  const put = (id: DefectId, one: Named | undefined): void => {
    const next = new Map(named);
    if (one === undefined) next.delete(id);
    else next.set(id, one);
    onSaid({ defects: DEFECT_IDS.flatMap((each) => next.get(each) ?? []) });
  };
  return (
    <ul className="flex flex-col">
      {DEFECT_IDS.filter((id) => DEFECTS[id].of === of).map((id) => {
        const one = named.get(id);
        const [slightest] = DEFECTS[id].degrees;
        return (
          <li key={id}>
            <CheckField
              label={DEFECTS[id].name}
              hint={DEFECTS[id].hint}
              checked={one !== undefined}
              onChange={({ target }) =>
                put(id, target.checked && slightest ? { defect: id, degree: slightest.degree } : undefined)
              }
            />
            {one !== undefined && (
              <Details id={id} named={one} photos={photos} onNamed={(changed) => put(id, changed)} />
            )}
          </li>
        );
      })}
    </ul>
  );
};
