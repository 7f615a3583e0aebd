import { useEffect, useState } from 'react';
import { suggestSearches, type Suggestion } from '#contract/catalog/search.ts';
import { call } from '#web/api/call.ts';

/** Somebody types about six letters a second; asking for each would be a waste. */
const PAUSE_MS = 150;
const FEWEST_LETTERS = 2;

/** What could be meant by what is being typed; none while too little is, and none when it cannot be had. */
export const useSuggestions = (typed: string): readonly Suggestion[] => {
  const [found, setFound] = useState<{ of: string; suggestions: readonly Suggestion[] }>({ of: '', suggestions: [] });
  const q = typed.trim();
  useEffect(() => {
    if (q.length < FEWEST_LETTERS) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      call(suggestSearches, { query: { q } }).then(
        (suggestions) => isWanted && setFound({ of: q, suggestions }),
        // Suggestions are a nicety: the search itself says what is wrong.
        () => isWanted && setFound({ of: q, suggestions: [] }),
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [q]);
  // While the next ones are on their way those for less stay, so that the list does not flicker.
  return q.length >= FEWEST_LETTERS && (q.startsWith(found.of) || found.of.startsWith(q)) ? found.suggestions : [];
};
