import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { datesInWords } from '../../rental/format.ts';
import { type BrowseFilters, noFilters } from './browse-filters.ts';
import { inMiles, priceWords } from './filter-words.ts';
import classes from './refine.module.css';

interface FilterChipsProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

interface Chip {
  label: string;
  without: Partial<BrowseFilters>;
}

function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { data: categories = [] } = useCategoriesQuery();
  const { q, category, radius } = filters;
  const price = priceWords(filters);
  const chips: Chip[] = [];
  if (q) chips.push({ label: `“${q}”`, without: { q: '' } });
  if (category) {
    const name = categories.find(({ id }) => id === category)?.name ?? 'Category';
    chips.push({ label: name, without: { category: '' } });
  }
  if (radius) chips.push({ label: `Within ${inMiles(radius)}`, without: { radius: '' } });
  if (price) chips.push({ label: capital(price), without: { min: '', max: '' } });
  const dates = datesInWords(filters);
  if (dates) chips.push({ label: dates, without: { start_date: '', end_date: '' } });
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <UnstyledButton
            className={classes.chip}
            data-chosen
            aria-label={`Remove ${label}`}
            onClick={() => onChange(without)}
          >
            <span className={classes.label}>{label}</span>
            <IconX size={16} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <UnstyledButton className={classes.clear} onClick={() => onChange(noFilters)}>
            Clear all
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}
