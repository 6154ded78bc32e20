import type { MyPlace } from '../../lib/my-place.ts';
import { formatMoney } from '../../rental/format.ts';
import type { BrowseFilters } from './browse-filters.ts';

export function inMiles(radius: string) {
  return radius === '1' ? '1 mile' : `${radius} miles`;
}

/** Writes where a search looks: `Within 5 miles of 97202`, `Near you` or `Anywhere`. */
export function placeInWords(
  { radius }: Pick<BrowseFilters, 'radius'>,
  place: MyPlace | null,
): string {
  const name = place?.zip ?? 'you';
  if (radius) return `Within ${inMiles(radius)} of ${name}`;
  return place ? `Near ${name}` : 'Anywhere';
}

function money(dollars: string) {
  return formatMoney(Number(dollars), true);
}

/** Writes the price filter as `$5 to $20`, `from $5` or `up to $20`; empty without a price filter. */
export function priceWords({ min, max }: Pick<BrowseFilters, 'min' | 'max'>): string {
  if (min && max) return `${money(min)} to ${money(max)}`;
  if (min) return `from ${money(min)}`;
  return max ? `up to ${money(max)}` : '';
}

/** Writes the active filters as the end of a sentence, such as ` in Garden within 5 miles for up to $20`. */
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
