import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function FormError({ children }: { children: ReactNode }) {
  return children ? (
    <Text c="var(--mantine-color-error)" role="alert" fw={550}>
      {children}
    </Text>
  ) : null;
}
