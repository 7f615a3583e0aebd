import { useEffect, useRef, useState, type RefObject } from 'react';

const PAUSE_MS = 400;

/**
 * What is to be said about what stands in the form round `place`, asked for a moment after it was typed; `""` for
 * nothing, and where it cannot be asked. Both functions are made once.
 */
export const useFormWords = <Asked>(
  askedBy: (form: HTMLFormElement) => Asked | undefined,
  say: (asked: Asked) => Promise<string>,
): { place: RefObject<HTMLParagraphElement | null>; words: string } => {
  const place = useRef<HTMLParagraphElement>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    const form = place.current?.closest('form');
    if (form == null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';
    const look = async (): Promise<void> => {
      const asked = askedBy(form);
      const key = asked === undefined ? '' : JSON.stringify(asked);
      if (key === last) return;
      last = key;
      if (asked === undefined) return setWords('');
      const said = await say(asked).catch(() => '');
      if (last === key) setWords(said);
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), PAUSE_MS);
    };
    soon();
    form.addEventListener('input', soon);
    form.addEventListener('change', soon);
    return () => {
      clearTimeout(timer);
      form.removeEventListener('input', soon);
      form.removeEventListener('change', soon);
    };
  }, [askedBy, say]);
  return { place, words };
};
