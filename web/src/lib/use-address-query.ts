import { useCallback, useLayoutEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router-dom';

/**
 * What the address asks for, and a way to change it. A change starts from the one before it, rendered or not: the router's
 * own setter starts from what is on the screen, and of two changes at once loses the first.
 */
export function useAddressQuery() {
  const [query, setQuery] = useSearchParams();
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = query;
  }, [query]);
  const changeQuery = useCallback(
    (changes: Record<string, string | undefined>, options: NavigateOptions) => {
      const next = new URLSearchParams(latest.current);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      latest.current = next;
      setQuery(next, options);
    },
    [setQuery],
  );
  return { query, changeQuery };
}
