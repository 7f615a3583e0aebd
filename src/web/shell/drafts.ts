/** What somebody typed into one form and has not sent: by the names of its fields. */
export type Typed = Readonly<Record<string, string>>;

interface Draft {
  /** Whoever typed it, by their id: nobody else ever gets it back. */
  readonly owner: string;
  readonly typed: Typed;
}

/** In the tab's own storage, and only while its owner signs in on another document, such as a provider's. */
const KEY = 'drafts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isDraft = (value: unknown): value is Draft =>
  isRecord(value) &&
  typeof value['owner'] === 'string' &&
  isRecord(value['typed']) &&
  Object.values(value['typed']).every((text) => typeof text === 'string');

/** What the document before left for this one; it is taken, not copied. */
const carriedOver = (): Map<string, Draft> => {
  const drafts = new Map<string, Draft>();
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    sessionStorage.removeItem(KEY);
    for (const [form, draft] of Object.entries(isRecord(stored) ? stored : {})) {
      if (isDraft(draft)) drafts.set(form, draft);
    }
  } catch {
    // No storage (private modes, the server), or not ours: nothing was left.
  }
  return drafts;
};

let drafts: Map<string, Draft> | undefined;
const all = (): Map<string, Draft> => (drafts ??= carriedOver());

/** Keeps what `owner` typed into `form` for as long as the page lives; nothing typed is nothing kept. */
export const keepDraft = (form: string, owner: string, typed: Typed): void => {
  if (Object.keys(typed).length === 0) all().delete(form);
  else all().set(form, { owner, typed });
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
};

/** Takes the drafts over to the document that follows this one in the same tab. */
export const carryDraftsOver = (): void => {
  if (!hasDrafts()) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all())));
  } catch {
    // Without storage they end with this document.
  }
};
