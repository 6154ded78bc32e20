import { IconArrowsSort, IconChevronDown } from '@tabler/icons-react';
import { type Sort, sortNames, usualSort } from './browse-filters.ts';
import type { FilterProps } from './filter-props.ts';
import classes from './refine.module.css';

/** Selects the sort order. The default sort order is not written to the URL. */
export function SortSelect({ filters, onChange }: FilterProps) {
  const usual = usualSort(filters);
  const sorts = (Object.keys(sortNames) as Sort[]).filter(
    (sort) => sort !== 'relevance' || filters.q,
  );
  return (
    <label
      className={`${classes.chip} ${classes.narrow}`}
      data-chosen={Boolean(filters.sort) || undefined}
    >
      <IconArrowsSort size={16} aria-hidden />
      <span className={classes.hidden}>Sort by</span>
      <select
        className={classes.select}
        value={filters.sort || usual}
        onChange={({ currentTarget }) => {
          const sort = currentTarget.value as Sort;
          onChange({ sort: sort === usual ? '' : sort });
        }}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {sortNames[sort]}
          </option>
        ))}
      </select>
      <IconChevronDown size={16} stroke={2.2} aria-hidden className={classes.chevron} />
    </label>
  );
}
