import { roundPlace } from '@lendtools/contracts/places';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCurrentLocation, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { errorMessage } from '../api/error-message.ts';
import { useZipQuery } from '../api/places-api.ts';
import { locate, locationFailed } from '../lib/locate.ts';
import type { PickUp } from '../lib/pick-up.ts';

interface PickUpFieldProps {
  value: PickUp;
  onChange: (value: PickUp) => void;
  description: string;
  error?: string | undefined;
}

export function PickUpField({ value, onChange, description, error }: PickUpFieldProps) {
  const { zip, point, isKept } = value;
  const [failure, setFailure] = useState('');
  const [isLocating, setLocating] = useState(false);
  const asked = useZipQuery(zip, { skip: zip.length !== 5 });
  const found = zip.length === 5 ? asked.currentData : undefined;
  useEffect(() => {
    if (found && !point && !isKept) {
      onChange({ zip, point: { lat: found.lat, lng: found.lng }, isKept });
    }
  }, [found, point, zip, isKept, onChange]);

  const takeLocation = async () => {
    setFailure('');
    setLocating(true);
    await locate().then(
      (here) => onChange({ zip: '', point: roundPlace(here), isKept: false }),
      (reason: unknown) => setFailure(locationFailed(reason)),
    );
    setLocating(false);
  };
  const isLocated = !zip && (point !== null || isKept);
  const zipFailure = zip.length === 5 && asked.error ? errorMessage(asked.error) : '';
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Pick-up ZIP code"
          placeholder={isLocated ? 'Your location is set' : 'Optional'}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          w={200}
          value={zip}
          onChange={({ currentTarget }) => {
            setFailure('');
            onChange({ zip: currentTarget.value.replace(/\D/g, ''), point: null, isKept: false });
          }}
          error={Boolean(error || failure || zipFailure)}
        />
        {isLocated || zip ? (
          <Button
            variant="default"
            leftSection={<IconX size={18} aria-hidden />}
            onClick={() => onChange({ zip: '', point: null, isKept: false })}
          >
            Remove
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconCurrentLocation size={18} aria-hidden />}
            loading={isLocating}
            onClick={() => void takeLocation()}
          >
            Use my location
          </Button>
        )}
      </Group>
      <Text fz="sm" role="status" c={isLocated || found ? undefined : 'dimmed'}>
        {found
          ? `${found.city}, ${found.state}`
          : isLocated
            ? 'Your location is set.'
            : description}
      </Text>
      <Text c="dimmed" fz="sm">
        Others see how far it is, to about half a mile. Nobody is told where you are.
      </Text>
      {(error || failure || zipFailure) && (
        <Text c="var(--mantine-color-error)" fz="sm" role="alert">
          {error || failure || zipFailure}
        </Text>
      )}
    </Stack>
  );
}
