import { Text, type TextProps } from '@mantine/core';
import { formatMoney } from '../rental/format.ts';

interface PriceProps extends TextProps {
  amount: number;
  circle: 'hourly' | 'daily';
}

/** A price such as `$12.50 daily`, with the amount emphasized. */
export function Price({ amount, circle, ...text }: PriceProps) {
  return (
    <Text component="span" className="tabular" style={{ whiteSpace: 'nowrap' }} {...text}>
      <Text component="span" inherit fw={700}>
        {formatMoney(amount, true)}
      </Text>{' '}
      <Text component="span" c="dimmed" fz="0.85em">
        {circle}
      </Text>
    </Text>
  );
}
