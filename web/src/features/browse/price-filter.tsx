import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconCoin } from '@tabler/icons-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { MoneyField } from '../../ui/money-field.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import classes from './refine.module.css';

interface PriceFilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

const dollarsOf = (text: string): number | '' => (text ? Number(text) : '');

interface PriceFormProps extends PriceFilterProps {
  id: string;
  onDone: () => void;
}

/** Two fields and a button: nothing is searched for while half a price is typed. */
function PriceForm({ id, filters, onChange, onDone }: PriceFormProps) {
  const [min, setMin] = useState(dollarsOf(filters.min));
  const [max, setMax] = useState(dollarsOf(filters.max));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Whoever mixed them up meant the range between them.
    const swapped = min !== '' && max !== '' && min > max;
    const [low, high] = swapped ? [max, min] : [min, max];
    onChange({ min: String(low), max: String(high) });
    onDone();
  };
  return (
    <form id={id} className={classes.prices} onSubmit={submit}>
      <MoneyField label="Lowest price" placeholder="Any" value={min} onChange={setMin} autoFocus />
      <MoneyField label="Highest price" placeholder="Any" value={max} onChange={setMax} />
      <Button type="submit">Show tools</Button>
    </form>
  );
}

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
          <PriceForm id={id} filters={filters} onChange={onChange} onDone={close} />
        </div>
      )}
    </>
  );
}
