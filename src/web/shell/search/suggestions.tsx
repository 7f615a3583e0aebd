import { useImperativeHandle, useLayoutEffect, useState, type KeyboardEvent, type Ref } from 'react';
import { classes } from '#web/ui/classes.ts';
import { BookIcon, icon } from '#web/ui/icons.tsx';
import { useSuggestions } from './use-suggestions.ts';

// Apart from the others, which every page loads.
const UserIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5" />
  </>,
);

/** What the search box does with a key, before the browser does. */
export interface SuggestionKeys {
  readonly press: (event: KeyboardEvent) => void;
}

export interface SuggestionsProps {
  id: string;
  /** What was typed; nothing is asked before somebody types. */
  typed: string;
  isOpen: boolean;
  keys: Ref<SuggestionKeys>;
  onOpen: (isOpen: boolean) => void;
  onChoose: (text: string) => void;
  /** Told what is on show: nothing, or the list, with the id of the option that was walked to. */
  onShown: (isShown: boolean, activeId: string | undefined) => void;
}

/** What could be meant, below the search box whose keys walk it. The focus stays in the box. */
export const Suggestions = ({ id, typed, isOpen, keys, onOpen, onChoose, onShown }: SuggestionsProps) => {
  const suggestions = useSuggestions(typed);
  // A place in the list is lost when something else is typed.
  const [walked, setWalked] = useState({ of: typed, place: -1 });
  const active = walked.of === typed ? walked.place : -1;
  const isShown = isOpen && suggestions.length > 0;
  const activeId = isShown && active >= 0 ? `${id}-${active}` : undefined;
  // With the list itself, not a moment after it: the box says what is walked to as soon as it is seen.
  useLayoutEffect(() => onShown(isShown, activeId), [onShown, isShown, activeId]);

  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      onOpen(false);
      setWalked({ of: typed, place: -1 });
    }
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && suggestions.length > 0) {
      event.preventDefault();
      onOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One place more than there are suggestions: what was typed oneself.
      const places = suggestions.length + 1;
      setWalked({ of: typed, place: ((active + 1 + step + places) % places) - 1 });
    }
    const chosen = suggestions[active];
    if (event.key === 'Enter' && isShown && chosen !== undefined) {
      event.preventDefault();
      onChoose(chosen.text);
    }
  };
  useImperativeHandle(keys, () => ({ press }));

  return (
    <>
      <p role="status" className="sr-only">
        {isShown ? `${suggestions.length} suggestions` : ''}
      </p>
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-40 mt-1 overflow-hidden rounded-box border border-base-300 bg-base-100 py-1 shadow-lg"
      >
        {suggestions.map((suggestion, place) => (
          <div
            key={`${suggestion.kind} ${suggestion.text}`}
            id={`${id}-${place}`}
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
              onChoose(suggestion.text);
            }}
          >
            {suggestion.kind === 'title' ? (
              <BookIcon className="size-4 shrink-0 text-muted" />
            ) : (
              <UserIcon className="size-4 shrink-0 text-muted" />
            )}
            <span className="min-w-0 flex-1 truncate">{suggestion.text}</span>
            <span className="sr-only">{suggestion.kind === 'title' ? ', a title' : ', an author'}</span>
          </div>
        ))}
      </div>
    </>
  );
};
