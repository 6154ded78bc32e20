import { useCallback, useLayoutEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router-dom';

/**
 * The query parameters and a function that changes them. Each change builds on the previous one even if that is not
 * rendered yet. The router's own setter starts from the rendered query, so it loses the first of two changes in a row.
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
