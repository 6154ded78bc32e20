import { Button, Text, TextInput } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useLazyZipQuery } from '../../api/places-api.ts';
import { locate, locationFailed } from '../../lib/locate.ts';
import type { MyPlace } from '../../lib/my-place.ts';
import classes from './refine.module.css';

interface PlaceFormProps {
  id: string;
  place: MyPlace | null;
  onPlace: (place: MyPlace | null) => void;
}

export default function PlaceForm({ id, place, onPlace }: PlaceFormProps) {
  const [zip, setZip] = useState(place?.zip ?? '');
  const [failure, setFailure] = useState('');
  const [isLocating, setLocating] = useState(false);
  const [findZip, { isFetching }] = useLazyZipQuery();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (zip.length !== 5) return setFailure('Please enter a ZIP code of five digits');
    const { data, error } = await findZip(zip, true);
    if (data) onPlace({ lat: data.lat, lng: data.lng, zip });
    else setFailure(errorMessage(error));
  };
  const takeLocation = async () => {
    setFailure('');
    setLocating(true);
    await locate().then(onPlace, (error: unknown) => setFailure(locationFailed(error)));
    setLocating(false);
  };
  return (
    <form id={id} className={classes.place} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="ZIP code"
        placeholder="97202"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={5}
        value={zip}
        onChange={({ currentTarget: { value } }) => {
          setFailure('');
          setZip(value.replace(/\D/g, ''));
        }}
        error={failure}
        autoFocus
      />
      <Button type="submit" loading={isFetching} className={classes.beside}>
        Search near here
      </Button>
      <Button
        variant="default"
        leftSection={<IconCurrentLocation size={18} aria-hidden />}
        loading={isLocating}
        onClick={() => void takeLocation()}
      >
        Use my location
      </Button>
      {place && (
        <Button variant="subtle" onClick={() => onPlace(null)}>
          Forget this place
        </Button>
      )}
      <Text c="dimmed" fz="sm" className={classes.note}>
        Only this browser remembers it. We use it only to measure distances.
      </Text>
    </form>
  );
}
