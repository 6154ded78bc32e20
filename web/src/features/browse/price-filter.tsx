import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconCoin } from '@tabler/icons-react';
import { lazy, useId, useRef, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import classes from './refine.module.css';

export interface PriceFilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

const loadForm = () => import('./price-form.tsx');
const PriceForm = lazy(loadForm);

/** The price, from and to: by the day or the hour, as each tool is rented. */
export function PriceFilter({ filters, onChange }: PriceFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <UnstyledButton
        {...whenNear(loadForm)}
        ref={button}
        className={`${classes.chip} ${classes.narrow}`}
        data-chosen={Boolean(filters.min || filters.max) || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconCoin size={16} aria-hidden />
        Price
        <IconChevronDown size={16} stroke={2.2} aria-hidden data-open={isOpen || undefined} />
      </UnstyledButton>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes from each field in it.
        <div
          className={classes.panel}
          onKeyDown={({ key }) => {
            if (key === 'Escape') close();
          }}
        >
          <Part>
            <PriceForm id={id} filters={filters} onChange={onChange} onDone={close} />
          </Part>
        </div>
      )}
    </>
  );
}
