import { useCallback, useId, useRef, useState } from 'react';
import { Form, useLocation, useNavigate } from 'react-router';
import { SEARCH_TEXT_MAX } from '#contract/catalog/search.ts';
import { classes } from '#web/ui/classes.ts';
import { SearchIcon } from '#web/ui/icons.tsx';
import type { SuggestionKeys, Suggestions } from './suggestions.tsx';

const searchFor = (text: string): string => `/search?q=${encodeURIComponent(text)}`;

/** What the page is a search for, so that the box says it too. */
const useSearched = (): string => {
  const { pathname, search } = useLocation();
  return pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
};

/** What is on show below the box, for whoever cannot see it. */
interface Shown {
  readonly isShown: boolean;
  readonly activeId: string | undefined;
}

/**
 * Finds a book from everywhere: a form that works without JavaScript, with suggestions while typing when there is some.
 */
const Box = ({ searched, className }: { searched: string; className?: string | undefined }) => {
  const listId = useId();
  const navigate = useNavigate();
  const [text, setText] = useState(searched);
  // Nothing is asked before somebody types: the page of a search fills the box by itself.
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Shown>({ isShown: false, activeId: undefined });
  const [loaded, setLoaded] = useState<{ List: typeof Suggestions }>();
  const keys = useRef<SuggestionKeys>(null);

  // Their script is loaded for whoever goes to the box; without it, the box finds all the same.
  const prepare = (): void => {
    if (loaded !== undefined) return;
    import('./suggestions.tsx').then(
      ({ Suggestions: List }) => setLoaded({ List }),
      () => undefined,
    );
  };
  const choose = (chosen: string): void => {
    setText(chosen);
    setOpen(false);
    void navigate(searchFor(chosen));
  };
  const show = useCallback((isShown: boolean, activeId: string | undefined) => setShown({ isShown, activeId }), []);

  return (
    <Form
      action="/search"
      role="search"
      aria-label="Books"
      className={classes('relative', className)}
      onSubmit={() => setOpen(false)}
    >
      <label className="input h-11 w-full gap-2 text-base sm:text-sm">
        <SearchIcon className="size-5 shrink-0 text-muted" />
        <span className="sr-only">Search for a book</span>
        <input
          type="search"
          name="q"
          value={text}
          maxLength={SEARCH_TEXT_MAX}
          placeholder="Title, author, “under $8”"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          role="combobox"
          aria-expanded={shown.isShown}
          aria-controls={loaded && listId}
          aria-autocomplete="list"
          aria-activedescendant={shown.activeId}
          onFocus={prepare}
          onChange={(event) => {
            prepare();
            setText(event.target.value);
            setTyped(event.target.value);
            setOpen(true);
          }}
          onKeyDown={(event) => keys.current?.press(event)}
          onBlur={() => setOpen(false)}
        />
      </label>
      {loaded !== undefined && (
        <loaded.List
          id={listId}
          typed={typed}
          isOpen={isOpen}
          keys={keys}
          onOpen={setOpen}
          onChoose={choose}
          onShown={show}
        />
      )}
    </Form>
  );
};

/** The search box of the header; on the page of a search it holds what was searched for. */
export const SearchBox = ({ className }: { className?: string }) => {
  const searched = useSearched();
  return <Box key={searched} searched={searched} className={className} />;
};
