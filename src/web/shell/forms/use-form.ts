import { useRef, useState, type ChangeEvent, type ComponentProps, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { sessionState } from '#web/api/session.ts';
import { focusFirstProblem } from '#web/ui/field.tsx';
import { fromQuery } from '#web/shell/data/return-path.ts';
import { useDraft } from './use-draft.ts';
import { useHydrated } from '#web/shell/data/use-hydrated.ts';

export interface FormSpec<Name extends string> {
  /** The fields, by the names they have in the form and in the contract's rules. */
  readonly names: readonly Name[];
  /** The rules; run before sending and, once something was wrong, on every change. */
  readonly check: (values: Record<Name, string>) => FieldErrors;
  /** Does what the form is for. What it throws is shown: beside the fields it names, else on the form. */
  readonly send: (values: Record<Name, string>, form: HTMLFormElement) => Promise<void>;
  /**
   * False for a form that its address does not lead back to, such as one in a dialog: what is typed there ends with it.
   */
  readonly draft?: boolean;
}

export interface Form<Name extends string> {
  /** Goes on the `<form>`. */
  readonly props: Pick<ComponentProps<'form'>, 'ref' | 'method' | 'noValidate' | 'onSubmit' | 'onChange'>;
  /** Goes on each field: its name and what is wrong with it. */
  readonly field: <N extends Name>(name: N) => { name: N; error: string | undefined };
  /** Goes on the button that submits. */
  readonly button: { type: 'submit'; busy: boolean; disabled: boolean };
  /** What went wrong with the form as a whole; undefined when nothing did. */
  readonly failure: string | undefined;
}

const valuesOf = <Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> => {
  const data = new FormData(form);
  const entries = names.map((name) => {
    const value = data.get(name);
    return [name, typeof value === 'string' ? value : ''] as const;
  });
  return Object.fromEntries(entries) as Record<Name, string>;
};

/** Splits a failed call into what belongs beside a field of this form and what is said of the form as a whole. */
const shownOf = (error: unknown, names: readonly string[]): { problems: FieldErrors; failure: string | undefined } => {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const problems = Object.fromEntries(fields.filter(([name]) => names.includes(name)));
  if (Object.keys(problems).length > 0) return { problems, failure: undefined };
  return { problems, failure: messageOf(error) };
};

/** Whether the call failed because the session is over, and not for anything that was typed. */
const isSessionOver = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unauthenticated' && sessionState().status === 'out';

/**
 * One form: its fields keep what is typed in the page itself, so that nothing is lost by a mistake, a failed call or
 * slow loading. Submitting checks, moves the focus to the first problem, or sends, once at a time. A session that turns
 * out to be over leads to the sign-in page and back to the form as it was.
 */
export const useForm = <Name extends string>(spec: FormSpec<Name>): Form<Name> => {
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [attempted, setAttempted] = useState(false);
  const hydrated = useHydrated();
  const draft = useDraft(form, spec.names, spec.draft !== false);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  const show = (next: FieldErrors): void => {
    // The marks must be on the page before the focus can go to the first of them.
    flushSync(() => setProblems(next));
    focusFirstProblem(form.current);
  };

  const submit = async (element: HTMLFormElement): Promise<void> => {
    if (sending.current) return;
    const values = valuesOf(element, spec.names);
    const found = spec.check(values);
    setAttempted(true);
    setFailure(undefined);
    if (Object.keys(found).length > 0) return show(found);
    setProblems({});
    sending.current = true;
    setBusy(true);
    try {
      await spec.send(values, element);
      draft.settle();
      setAttempted(false);
    } catch (error) {
      draft.note();
      if (isSessionOver(error)) return void navigate(`/login${fromQuery(`${pathname}${search}`)}`, { replace: true });
      const shown = shownOf(error, spec.names);
      setFailure(shown.failure);
      show(shown.problems);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  const recheck = (event: ChangeEvent<HTMLFormElement>): void => {
    draft.note();
    if (!attempted) return;
    const { name } = event.target as unknown as { name: string };
    const found = spec.check(valuesOf(event.currentTarget, spec.names));
    setProblems(({ [name]: _old, ...others }) =>
      found[name] === undefined ? others : { ...others, [name]: found[name] },
    );
  };

  return {
    props: {
      ref: form,
      // Should it ever be sent without our script, nothing typed may end up in an address.
      method: 'post',
      noValidate: true,
      onSubmit: (event: SyntheticEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(event.currentTarget);
      },
      onChange: recheck,
    },
    field: (name) => ({ name, error: problems[name] }),
    button: { type: 'submit', busy, disabled: !hydrated },
    failure,
  };
};
