import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

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
  const setFilters = useCallback(
    (changes: Partial<BrowseFilters>) => {
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setParams],
  );
  return { filters, setFilters };
}
