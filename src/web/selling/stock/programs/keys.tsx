import { useId, useState } from 'react';
import { makeApiKey, revokeApiKey, SCOPES, type ApiKey, type Scope } from '#contract/users/api-keys.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { ShownOnce } from './shown-once.tsx';

const WORDS: Record<Scope, readonly [name: string, about: string]> = {
  'stock:read': ['Look at the stock', 'All copies, stock files and exports.'],
  'stock:write': ['Change the stock', 'Bring files, list, edit, pause, take out, sold elsewhere.'],
  'orders:read': ['Look at sales', 'What was sold and where each stands; never who bought it.'],
};

const MakeKey = ({ onMade }: { onMade: () => Promise<void> }) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['stock:read']);
  const [made, setMade] = useState<string>();
  const [failure, setFailure] = useState<{ message: string; name?: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { key } = await withFreshSignIn(() => call(makeApiKey, { body: { name, scopes: [...scopes] } }));
      setMade(key);
      setName('');
      await onMade();
    } catch (error) {
      setFailure({ message: messageOf(error), name: error instanceof ApiError ? error.fields['name'] : undefined });
    } finally {
      setBusy(false);
    }
  };
  if (made !== undefined) return <ShownOnce label="Your key" secret={made} onDone={() => setMade(undefined)} />;
  return (
    <form
      noValidate
      className="mt-4 flex max-w-lg flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Field
        label="Which program is it for?"
        value={name}
        maxLength={60}
        error={failure?.name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset>
        <legend className="text-sm font-semibold">What it may do</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={WORDS[scope][0]}
            hint={WORDS[scope][1]}
            checked={scopes.includes(scope)}
            onChange={(event) =>
              setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
        ))}
      </fieldset>
      {failure !== undefined && failure.name === undefined && <Notice tone="error">{failure.message}</Notice>}
      <div>
        <Button type="submit" busy={busy} disabled={scopes.length === 0}>
          Make a key
        </Button>
      </div>
    </form>
  );
};

/** The keys of programs: made, shown once, revoked. */
export const Keys = ({ keys, onChanged }: { keys: readonly ApiKey[]; onChanged: () => Promise<void> }) => {
  const headingId = useId();
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <section aria-labelledby={headingId} className="rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
      <h2 id={headingId} className="font-serif text-xl font-semibold">
        Keys
      </h2>
      {keys.length > 0 && (
        <ul className="mt-2 divide-y divide-base-300">
          {keys.map((key) => (
            <li key={key._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere">
                  {key.name} <span className="font-mono text-sm font-normal text-muted">{key.begins}…</span>
                </p>
                <p className="text-sm text-muted">
                  {key.scopes.map((scope) => WORDS[scope][0]).join(', ')} ·{' '}
                  {key.lastUsedAt === null ? (
                    'Never used'
                  ) : (
                    <>
                      Last used <Time as="moment" at={key.lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              <Button look="quiet-danger" size="sm" onClick={() => setRevoking(key)}>
                Revoke<span className="sr-only"> {key.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <MakeKey onMade={onChanged} />
      <Confirmed
        of={revoking}
        title="Revoke this key?"
        confirmLabel="Revoke"
        act={async ({ _id }) => {
          await call(revokeApiKey, { params: { id: _id } });
          await onChanged();
        }}
        onClose={() => setRevoking(undefined)}
      >
        <p>
          <em>{revoking?.name}</em> is shut out at once. A new key has to be given to it.
        </p>
      </Confirmed>
    </section>
  );
};
