/** What somebody typed into one form and has not sent: by the names of its fields. */
export type Typed = Readonly<Record<string, string>>;

interface Draft {
  /** Whoever typed it, by their id: nobody else ever gets it back. */
  readonly owner: string;
  readonly typed: Typed;
}

/** In the tab's own storage: a reload, or a sign-in on another document, leads back to what was typed. */
const KEY = 'drafts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isDraft = (value: unknown): value is Draft =>
  isRecord(value) &&
  typeof value['owner'] === 'string' &&
  isRecord(value['typed']) &&
  Object.values(value['typed']).every((text) => typeof text === 'string');

/** What the document before this one in the same tab left. */
const left = (): Map<string, Draft> => {
  const found = new Map<string, Draft>();
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    for (const [form, draft] of Object.entries(isRecord(stored) ? stored : {})) {
      if (isDraft(draft)) found.set(form, draft);
    }
  } catch {
    // No storage (private modes, the server), or not ours: nothing was left.
  }
  return found;
};

let drafts: Map<string, Draft> | undefined;
const all = (): Map<string, Draft> => (drafts ??= left());

const store = (): void => {
  try {
    if (all().size === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all())));
  } catch {
    // Without storage they end with this document.
  }
};

/** Keeps what `owner` typed into `form` for as long as the tab lives; nothing typed is nothing kept. */
export const keepDraft = (form: string, owner: string, typed: Typed): void => {
  if (Object.keys(typed).length > 0) all().set(form, { owner, typed });
  else if (!all().delete(form)) return;
  store();
};

/** What `owner` typed into `form` and did not send. */
export const draftOf = (form: string, owner: string): Typed | undefined => {
  const draft = all().get(form);
  return draft?.owner === owner ? draft.typed : undefined;
};

export const hasDrafts = (): boolean => all().size > 0;

/** Forgets everything, or what others than `owner` typed. */
export const forgetDrafts = (owner?: string): void => {
  for (const [form, draft] of all()) if (draft.owner !== owner) all().delete(form);
  store();
};
