import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

export const radiusOptions = [1, 5, 10, 15, 20] as const;

/** The filters as the address has them; empty means not set. */
export interface BrowseFilters {
  q: string;
  category: string;
  radius: string;
}

/** What the API is asked; `place` is there only when a radius is chosen and the position is known. */
export interface BrowseQuery {
  q?: string;
  category?: string;
  place?: { lat: number; lng: number; radius: number };
}

/** What the entry of the history has come from: the words of a search that is still being typed. */
interface SearchState {
  isSearching: boolean;
}

/**
 * The filters live in the address, so that a search can be shared, reloaded and come back to. The
 * position does not: a shared link must not tell where somebody lives.
 */
export function useBrowseFilters() {
  const [params, setParams] = useSearchParams();
  const radius = params.get('radius') ?? '';
  const filters: BrowseFilters = {
    q: params.get('q') ?? '',
    category: params.get('category') ?? '',
    radius: radiusOptions.some((miles) => String(miles) === radius) ? radius : '',
  };
  // A search grows by letters, and is one step back as a whole.
  const isSearching = (useLocation().state as SearchState | null)?.isSearching === true;
  const setFilters = useCallback(
    (changes: Partial<BrowseFilters>, { replace = false } = {}) => {
      const searches = 'q' in changes;
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        {
          replace: replace || (searches && isSearching),
          preventScrollReset: true,
          state: { isSearching: searches } satisfies SearchState,
        },
      );
    },
    [setParams, isSearching],
  );
  return { filters, setFilters };
}
