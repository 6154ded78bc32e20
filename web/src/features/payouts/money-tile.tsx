import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCents } from '../../rental/format.ts';
import classes from './payouts.module.css';

interface MoneyTileProps {
  title: string;
  cents: number;
  children: ReactNode;
}

export function MoneyTile({ title, cents, children }: MoneyTileProps) {
  return (
    <section className={classes.tile} aria-label={title}>
      <Text c="dimmed">{title}</Text>
      <span className={`${classes.figure} tabular`}>{formatCents(cents)}</span>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </section>
  );
}
