import { useId, useState, type KeyboardEvent } from 'react';
import { Form, useLocation, useNavigate } from 'react-router';
import { SEARCH_TEXT_MAX } from '#contract/search.ts';
import { classes } from '#web/ui/classes.ts';
import { BookIcon, PersonIcon, SearchIcon } from '#web/ui/icons.tsx';
import { useSuggestions } from './use-suggestions.ts';

const searchFor = (text: string): string => `/search?q=${encodeURIComponent(text)}`;

/** What the page is a search for, so that the box says it too. */
const useSearched = (): string => {
  const { pathname, search } = useLocation();
  return pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
};

/** Finds a book from everywhere: a form that works without JavaScript, with suggestions while typing when there is some. */
const Box = ({ searched, className }: { searched: string; className?: string | undefined }) => {
  const listId = useId();
  const navigate = useNavigate();
  const [text, setText] = useState(searched);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  // Nothing is asked before somebody types: the page of a search fills the box by itself.
  const [typed, setTyped] = useState('');
  const suggestions = useSuggestions(typed);
  const isShown = isOpen && suggestions.length > 0;

  const choose = (chosen: string): void => {
    setText(chosen);
    setOpen(false);
    void navigate(searchFor(chosen));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
      setActive(-1);
    }
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && suggestions.length > 0) {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One place more than there are suggestions: what was typed oneself.
      const places = suggestions.length + 1;
      setActive((before) => ((before + 1 + step + places) % places) - 1);
    }
    const chosen = suggestions[active];
    if (event.key === 'Enter' && isShown && chosen !== undefined) {
      event.preventDefault();
      choose(chosen.text);
    }
  };

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
          placeholder="Title, author or ISBN"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          role="combobox"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setTyped(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
        />
      </label>
      <p role="status" className="sr-only">
        {isShown ? `${suggestions.length} suggestions` : ''}
      </p>
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-40 mt-1 overflow-hidden rounded-box border border-base-300 bg-base-100 py-1 shadow-lg"
      >
        {suggestions.map((suggestion, place) => (
          <div
            key={`${suggestion.kind} ${suggestion.text}`}
            id={`${listId}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            className={classes(
              'flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-sm',
              place === active ? 'bg-primary/10 text-primary' : 'hover:bg-base-200',
            )}
            // Before the box loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(suggestion.text);
            }}
          >
            {suggestion.kind === 'title' ? (
              <BookIcon className="size-4 shrink-0 text-muted" />
            ) : (
              <PersonIcon className="size-4 shrink-0 text-muted" />
            )}
            <span className="min-w-0 flex-1 truncate">{suggestion.text}</span>
            <span className="sr-only">{suggestion.kind === 'title' ? ', a title' : ', an author'}</span>
          </div>
        ))}
      </div>
    </Form>
  );
};

/** The search box of the header; on the page of a search it holds what was searched for. */
export const SearchBox = ({ className }: { className?: string }) => {
  const searched = useSearched();
  return <Box key={searched} searched={searched} className={className} />;
};
