import { formatMoney } from '../../lib/format.ts';
import type { BrowseFilters } from './browse-filters.ts';

export const inMiles = (radius: string) => (radius === '1' ? '1 mile' : `${radius} miles`);

const money = (dollars: string) => formatMoney(Number(dollars), true);

/** `$5 to $20`, `from $5`, `up to $20`; empty without a price filter. */
export function priceWords({ min, max }: Pick<BrowseFilters, 'min' | 'max'>): string {
  if (min && max) return `${money(min)} to ${money(max)}`;
  if (min) return `from ${money(min)}`;
  return max ? `up to ${money(max)}` : '';
}

/** The active filters, as the end of a sentence: ` in Garden within 5 miles for up to $20`. */
export function filterWords(filters: BrowseFilters, category: string | undefined): string {
  const price = priceWords(filters);
  return [
    filters.category && ` in ${category ?? 'this category'}`,
    filters.radius && ` within ${inMiles(filters.radius)}`,
    price && ` for ${price}`,
  ]
    .filter(Boolean)
    .join('');
}
