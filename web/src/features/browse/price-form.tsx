import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { MoneyField } from '../../ui/money-field.tsx';
import type { FilterProps } from './filter-panel.tsx';
import classes from './refine.module.css';

function dollarsOf(text: string): number | '' {
  return text ? Number(text) : '';
}

interface PriceFormProps extends FilterProps {
  id: string;
  onDone: () => void;
}

/** The form of the price filter. Has a submit button, so that no search runs while a price is being typed. */
export default function PriceForm({ id, filters, onChange, onDone }: PriceFormProps) {
  const [min, setMin] = useState(dollarsOf(filters.min));
  const [max, setMax] = useState(dollarsOf(filters.max));
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
