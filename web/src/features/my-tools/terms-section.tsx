import type { Tool } from '@lendtools/contracts';
import { Button, Collapse, Group, Skeleton, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { lazy, useId, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';

function loadFields() {
  return import('./terms-fields.tsx');
}

const TermsFields = lazy(loadFields);

interface TermsSectionProps {
  value: string;
  circle: Tool['rental_circle'];
  /** Whether changing between daily and hourly has cleared the shortest and longest rental. */
  hasLostLengths: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The form section for the terms. Collapsed at first; an error or cleared lengths expand it. */
export function TermsSection({ error, hasLostLengths, ...fields }: TermsSectionProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isShown = isOpen || hasLostLengths || Boolean(error);
  return (
    <section>
      <Button
        {...whenNear(loadFields)}
        variant="default"
        size="md"
        fullWidth
        justify="space-between"
        rightSection={
          <IconChevronDown
            size={18}
            aria-hidden
            style={{ transform: isShown ? 'rotate(180deg)' : undefined }}
          />
        }
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
      >
        Availability and terms
      </Button>
      <Collapse expanded={isShown} id={id} pt="md">
        {hasLostLengths && (
          <Text size="sm" mb="md" role="status">
            The shortest and longest rental and the buffer were emptied, because they count{' '}
            {fields.circle === 'hourly' ? 'hours' : 'days'} now. Please enter them again.
          </Text>
        )}
        {isShown && (
          <Part waiting={<Skeleton h={480} />}>
            <TermsFields {...fields} />
          </Part>
        )}
        {error && (
          <Group mt="sm">
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {error}
            </Text>
          </Group>
        )}
      </Collapse>
    </section>
  );
}
