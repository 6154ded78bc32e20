import { roundPlace } from '@lendtools/contracts/places';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCurrentLocation, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useZipQuery } from '../../api/places-api.ts';
import { locate, locationFailed } from '../../lib/locate.ts';
import type { PickUp } from '../../rental/pick-up.ts';

interface PickUpFieldProps {
  value: PickUp;
  onChange: (value: PickUp) => void;
  description: string;
  error?: string | undefined;
}

/** Looks up the place of a complete ZIP code, and adds it to the field's value. */
function useZipPlace({ zip, point, isKept }: PickUp, onChange: (value: PickUp) => void) {
  const isComplete = zip.length === 5;
  const query = useZipQuery(zip, { skip: !isComplete });
  const found = isComplete ? query.currentData : undefined;
  useEffect(() => {
    if (found && !point && !isKept) {
      onChange({ zip, point: { lat: found.lat, lng: found.lng }, isKept });
    }
  }, [found, point, zip, isKept, onChange]);
  return { found, zipFailure: isComplete && query.error ? errorMessage(query.error) : '' };
}

export function PickUpField({ value, onChange, description, error }: PickUpFieldProps) {
  const { zip, point, isKept } = value;
  const [failure, setFailure] = useState('');
  const { found, zipFailure } = useZipPlace(value, onChange);
  const isLocated = !zip && (point !== null || isKept);
  const problem = error || failure || zipFailure;
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
          error={Boolean(problem)}
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
          <LocateButton onChange={onChange} onFailure={setFailure} />
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
      {problem && (
        <Text c="var(--mantine-color-error)" fz="sm" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

interface LocateButtonProps {
  onChange: (value: PickUp) => void;
  onFailure: (words: string) => void;
}

function LocateButton({ onChange, onFailure }: LocateButtonProps) {
  const [isLocating, setLocating] = useState(false);
  const takeLocation = async () => {
    onFailure('');
    setLocating(true);
    await locate().then(
      (here) => onChange({ zip: '', point: roundPlace(here), isKept: false }),
      (reason: unknown) => onFailure(locationFailed(reason)),
    );
    setLocating(false);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconCurrentLocation size={18} aria-hidden />}
      loading={isLocating}
      onClick={() => void takeLocation()}
    >
      Use my location
    </Button>
  );
}
