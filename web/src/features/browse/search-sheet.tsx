import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconCurrentLocation, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useLazyZipQuery } from '../../api/places-api.ts';
import { locate, locationFailed } from '../../lib/locate.ts';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { type BrowseFilters, radiusOptions } from './browse-filters.ts';
import { DaysField } from './days-field.tsx';
import type { FilterProps } from './filter-props.ts';
import { inMiles } from './filter-words.ts';
import type { SearchPart } from './search-bar.tsx';
import classes from './search-sheet.module.css';

interface SearchFormProps extends FilterProps {
  part: SearchPart;
  onClose: () => void;
}

const radiusChoices = radiusOptions.map((miles) => ({
  value: String(miles),
  label: inMiles(String(miles)),
}));

/** A new place sorts by distance if nothing else sorts; without a place, the filters that need one are removed. */
function withPlace(filters: BrowseFilters, before: MyPlace | null, place: MyPlace | null) {
  const { q, radius, sort } = filters;
  if (place && !before && !radius && !sort && !q) return { sort: 'distance' as const };
  if (!place && before) return { radius: '', ...(sort === 'distance' && { sort: '' as const }) };
  return {};
}

/** The reader's place by ZIP code or by the browser's location, and the problem with it. */
function usePlaceInput() {
  const before = useRememberedPlace();
  const [place, setPlace] = useState(before);
  const [zip, setZip] = useState(before?.zip ?? '');
  const [failure, setFailure] = useState('');
  const [isLocating, setLocating] = useState(false);
  const [findZip, { isFetching }] = useLazyZipQuery();
  const typeZip = (text: string) => {
    setFailure('');
    setZip(text.replace(/\D/g, ''));
  };
  const takeLocation = async () => {
    setFailure('');
    setLocating(true);
    try {
      setPlace(await locate());
      setZip('');
    } catch (error) {
      setFailure(locationFailed(error));
    }
    setLocating(false);
  };
  /** Looks up a ZIP code that changed. Returns undefined if it has a problem, which is shown. */
  const readPlace = async (): Promise<MyPlace | null | undefined> => {
    if (zip === (place?.zip ?? '')) return place;
    if (!zip) return null;
    if (zip.length !== 5) return void setFailure('Please enter a ZIP code of five digits');
    const { data, error } = await findZip(zip, true);
    if (data) return { lat: data.lat, lng: data.lng, zip };
    return void setFailure(errorMessage(error));
  };
  const forget = () => {
    setPlace(null);
    typeZip('');
  };
  return {
    before,
    place,
    zip,
    failure,
    isLocating,
    isReading: isFetching,
    typeZip,
    takeLocation,
    readPlace,
    forget,
  };
}

function PlaceFields({
  input,
  radius,
  onRadius,
  autoFocus,
}: {
  input: ReturnType<typeof usePlaceInput>;
  radius: string;
  onRadius: (radius: string) => void;
  autoFocus: boolean;
}) {
  const { place, zip, failure, isLocating, typeZip, takeLocation, forget } = input;
  const isHere = place !== null && !place.zip && !zip;
  return (
    <fieldset className={classes.part}>
      <legend className={classes.legend}>Where?</legend>
      <div className={classes.place}>
        <TextInput
          label="ZIP code"
          placeholder={isHere ? 'Near you' : '97202'}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          value={zip}
          onChange={({ currentTarget }) => typeZip(currentTarget.value)}
          error={failure}
          data-autofocus={autoFocus || undefined}
        />
        <NativeSelect
          label="Near me"
          value={radius}
          onChange={({ currentTarget }) => onRadius(currentTarget.value)}
          data={[{ value: '', label: '--select--' }, ...radiusChoices]}
        />
      </div>
      <Group gap="xs" mt="xs">
        <Button
          variant="subtle"
          px="xs"
          leftSection={<IconCurrentLocation size={18} aria-hidden />}
          loading={isLocating}
          onClick={() => void takeLocation()}
        >
          Use my location
        </Button>
        {(place || zip) && (
          <Button variant="subtle" px="xs" onClick={forget}>
            Forget this place
          </Button>
        )}
      </Group>
      <p className={classes.note}>
        Only this browser remembers the place. We use it only to measure distances.
      </p>
    </fieldset>
  );
}

function SearchForm({ filters, part, onChange, onClose }: SearchFormProps) {
  const [q, setQ] = useState(filters.q);
  const [radius, setRadius] = useState(filters.radius);
  const [days, setDays] = useState({
    start_date: filters.start_date,
    end_date: filters.end_date,
  });
  const input = usePlaceInput();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const place = await input.readPlace();
    if (place === undefined) {
      form.current?.querySelector<HTMLElement>('[autocomplete="postal-code"]')?.focus();
      return;
    }
    if (place !== input.before) rememberPlace(place);
    const next = { ...filters, q: q.trim(), radius, ...days };
    const { sort, radius: within } = { ...next, ...withPlace(next, input.before, place) };
    onClose();
    // Omit unchanged words: they would end a search for exactly these words.
    onChange({ ...(next.q !== filters.q && { q: next.q }), radius: within, sort, ...days });
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <TextInput
          label="Search tools by name"
          placeholder="What do you need?"
          type="search"
          enterKeyHint="search"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={q}
          onChange={({ currentTarget }) => setQ(currentTarget.value)}
          data-autofocus={part === 'what' || undefined}
        />
        <DaysField days={days} onChange={setDays} autoFocus={part === 'when'} />
        <PlaceFields
          input={input}
          radius={radius}
          onRadius={setRadius}
          autoFocus={part === 'where'}
        />
        <Group className={classes.end} justify="space-between" wrap="nowrap">
          <Button
            variant="subtle"
            px="xs"
            onClick={() => {
              onClose();
              onChange({ q: '', radius: '', start_date: '', end_date: '' });
            }}
          >
            Clear all
          </Button>
          <Button type="submit" loading={input.isReading}>
            Show tools
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface SearchSheetProps extends SearchFormProps {
  opened: boolean;
}

export default function SearchSheet({ opened, ...form }: SearchSheetProps) {
  return (
    <Sheet title="Find a tool" opened={opened} onClose={form.onClose}>
      <SearchForm {...form} />
    </Sheet>
  );
}
