import type { BrowseFilters } from './browse-filters.ts';

export interface FilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}
