import { ActionIcon, Group, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatMonth } from '../../rental/format.ts';
import { laterMonth } from './lent-days.ts';

interface MonthBarProps {
  month: string;
  setMonth: (month: string) => void;
  children: ReactNode;
}

export function MonthBar({ month, setMonth, children }: MonthBarProps) {
  return (
    <Group justify="space-between" mb="sm">
      <Group gap="xs">
        <ActionIcon
          variant="default"
          size={44}
          aria-label="Previous month"
          onClick={() => setMonth(laterMonth(month, -1))}
        >
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <Title order={2} fz="lg" miw={150} ta="center" aria-live="polite">
          {formatMonth(`${month}-01T12:00`)}
        </Title>
        <ActionIcon
          variant="default"
          size={44}
          aria-label="Next month"
          onClick={() => setMonth(laterMonth(month, 1))}
        >
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
      </Group>
      {children}
    </Group>
  );
}
