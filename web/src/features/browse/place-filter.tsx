import { Button, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconCurrentLocation, IconMapPin } from '@tabler/icons-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useLazyZipQuery } from '../../api/places-api.ts';
import { locate, locationFailed } from '../../lib/locate.ts';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import type { BrowseFilters } from './browse-filters.ts';
import classes from './refine.module.css';

interface PlaceFilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

interface PlaceFormProps {
  id: string;
  place: MyPlace | null;
  onPlace: (place: MyPlace | null) => void;
}

function PlaceForm({ id, place, onPlace }: PlaceFormProps) {
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
        Look near here
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
        Only this browser remembers it. Nobody else gets to know it.
      </Text>
    </form>
  );
}

/** Where the distances count from, to be said once: by the browser, or by a ZIP code without it. */
export function PlaceFilter({ filters, onChange }: PlaceFilterProps) {
  const place = useRememberedPlace();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const settle = (next: MyPlace | null) => {
    rememberPlace(next);
    close();
    const { radius, sort, q } = filters;
    // Whoever says where they are wants to see what is close; without a place nothing is.
    if (next && !radius && !sort && !q) onChange({ sort: 'distance' });
    if (!next && (radius || sort === 'distance')) {
      onChange({ radius: '', ...(sort === 'distance' && { sort: '' }) });
    }
  };
  const label = place?.zip ? `Near ${place.zip}` : place ? 'Near you' : 'Your place';
  return (
    <>
      <UnstyledButton
        ref={button}
        className={`${classes.chip} ${classes.narrow}`}
        data-chosen={Boolean(place) || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconMapPin size={16} aria-hidden />
        {label}
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
          <PlaceForm id={id} place={place} onPlace={settle} />
        </div>
      )}
    </>
  );
}
