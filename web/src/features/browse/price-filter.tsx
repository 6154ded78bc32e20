import { IconCoin } from '@tabler/icons-react';
import { lazy } from 'react';
import { FilterPanel, type FilterProps } from './filter-panel.tsx';

function loadForm() {
  return import('./price-form.tsx');
}

const PriceForm = lazy(loadForm);

export function PriceFilter({ filters, onChange }: FilterProps) {
  return (
    <FilterPanel
      icon={<IconCoin size={16} aria-hidden />}
      label="Price"
      isChosen={Boolean(filters.min || filters.max)}
      load={loadForm}
      form={(id, close) => (
        <PriceForm id={id} filters={filters} onChange={onChange} onDone={close} />
      )}
    />
  );
}
