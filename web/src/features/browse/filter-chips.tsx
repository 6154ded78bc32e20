import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import type { BrowseFilters } from './browse-filters.ts';
import type { FilterProps } from './filter-props.ts';
import { priceWords } from './filter-words.ts';
import classes from './refine.module.css';

interface Chip {
  label: string;
  without: Partial<BrowseFilters>;
}

function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A chip for each filter of the filter sheet. The search pill shows the words, the place and the days. */
export function FilterChips({ filters, onChange }: FilterProps) {
  const { data: categories = [] } = useCategoriesQuery();
  const { category } = filters;
  const price = priceWords(filters);
  const chips: Chip[] = [];
  if (category) {
    const name = categories.find(({ id }) => id === category)?.name ?? 'Category';
    chips.push({ label: name, without: { category: '' } });
  }
  if (price) chips.push({ label: capital(price), without: { min: '', max: '' } });
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
          <UnstyledButton
            className={classes.clear}
            onClick={() => onChange({ category: '', min: '', max: '' })}
          >
            Clear all
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}
