import { Button, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { MoneyField } from '../../ui/fields/money-field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { FilterProps } from './filter-props.ts';
import classes from './search-sheet.module.css';

function dollarsOf(text: string): number | '' {
  return text ? Number(text) : '';
}

interface FilterFormProps extends FilterProps {
  onClose: () => void;
}

function FilterForm({ filters, onChange, onClose }: FilterFormProps) {
  const { data: categories = [] } = useCategoriesQuery();
  const [category, setCategory] = useState(filters.category);
  const [min, setMin] = useState(dollarsOf(filters.min));
  const [max, setMax] = useState(dollarsOf(filters.max));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const swapped = min !== '' && max !== '' && min > max;
    const [low, high] = swapped ? [max, min] : [min, max];
    onClose();
    onChange({ category, min: String(low), max: String(high) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <NativeSelect
          label="Category"
          value={category}
          onChange={({ currentTarget }) => setCategory(currentTarget.value)}
          data={[
            { value: '', label: '--select--' },
            ...categories.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          data-autofocus
        />
        <SimpleGrid cols={2} spacing="sm">
          <MoneyField label="Lowest price" placeholder="Any" value={min} onChange={setMin} />
          <MoneyField label="Highest price" placeholder="Any" value={max} onChange={setMax} />
        </SimpleGrid>
        <Group className={classes.end} justify="space-between" wrap="nowrap">
          <Button
            variant="subtle"
            px="xs"
            onClick={() => {
              onClose();
              onChange({ category: '', min: '', max: '' });
            }}
          >
            Clear filters
          </Button>
          <Button type="submit">Show tools</Button>
        </Group>
      </Stack>
    </form>
  );
}

export default function FilterSheet({ opened, ...form }: FilterFormProps & { opened: boolean }) {
  return (
    <Sheet title="Filters" opened={opened} onClose={form.onClose}>
      <FilterForm {...form} />
    </Sheet>
  );
}
