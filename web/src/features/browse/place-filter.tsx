import { IconMapPin } from '@tabler/icons-react';
import { lazy } from 'react';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { FilterPanel, type FilterProps } from './filter-panel.tsx';

function loadForm() {
  return import('./place-form.tsx');
}

const PlaceForm = lazy(loadForm);

export function PlaceFilter({ filters, onChange }: FilterProps) {
  const place = useRememberedPlace();
  const settle = (next: MyPlace | null) => {
    rememberPlace(next);
    const { radius, sort, q } = filters;
    // Setting a place sorts by distance; removing the place removes the filters that need a place.
    if (next && !radius && !sort && !q) onChange({ sort: 'distance' });
    if (!next && (radius || sort === 'distance')) {
      onChange({ radius: '', ...(sort === 'distance' && { sort: '' }) });
    }
  };
  return (
    <FilterPanel
      icon={<IconMapPin size={16} aria-hidden />}
      label={place?.zip ? `Near ${place.zip}` : place ? 'Near you' : 'Your place'}
      isChosen={Boolean(place)}
      load={loadForm}
      form={(id, close) => (
        <PlaceForm
          id={id}
          place={place}
          onPlace={(next) => {
            close();
            settle(next);
          }}
        />
      )}
    />
  );
}
