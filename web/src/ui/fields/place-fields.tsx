import { SimpleGrid, TextInput } from '@mantine/core';
import { useCitiesQuery, useStatesQuery } from '../../api/places-api.ts';
import { ListSelect } from '../list-select.tsx';

interface PlaceFieldsProps {
  state: string;
  city: string;
  onChange: (place: { state: string; city: string }) => void;
  errors?: { state?: string; city?: string };
  required?: boolean;
}

export function PlaceFields({
  state,
  city,
  onChange,
  errors = {},
  required = true,
}: PlaceFieldsProps) {
  const states = useStatesQuery();
  const code = states.data?.find(({ name }) => name === state)?.code;
  const cities = useCitiesQuery(code ?? '', { skip: !code });
  const failed = states.error || cities.error ? 'The list could not be loaded' : undefined;
  return (
    <>
      <TextInput label="Country" value="United States" readOnly tabIndex={-1} variant="filled" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <ListSelect
          label="State"
          placeholder={states.isFetching ? 'Loading…' : 'Pick a state'}
          data={states.data?.map(({ name }) => name) ?? []}
          value={state || null}
          onChange={(name) => onChange({ state: name ?? '', city: '' })}
          error={errors.state ?? failed}
          searchable
          withAsterisk={required}
          nothingFoundMessage="No such state"
          autoComplete="off"
        />
        <ListSelect
          label="City"
          placeholder={
            !state ? 'Pick a state first' : cities.isFetching ? 'Loading…' : 'Pick a city'
          }
          data={cities.currentData ?? (city ? [city] : [])}
          value={city || null}
          onChange={(name) => onChange({ state, city: name ?? '' })}
          error={errors.city}
          disabled={!state}
          searchable
          withAsterisk={required}
          // Show few options: California alone has more than a thousand cities, and typing narrows the list.
          limit={60}
          nothingFoundMessage="No such city in this state"
          autoComplete="off"
        />
      </SimpleGrid>
    </>
  );
}
