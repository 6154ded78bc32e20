import type { PriceRange, Tool } from '@lendtools/contracts';
import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useUser } from '../../api/session-slice.ts';
import { formatCents, formatMoney } from '../../rental/format.ts';
import type { PickUp } from '../../rental/pick-up.ts';
import { usePriceRangeQuery } from './my-tools-api.ts';

const typingPauseMs = 600;

function rangeInWords(range: NonNullable<PriceRange>, per: string) {
  const { basis, tools, lowCents, highCents, withinMiles } = range;
  const which = basis === 'kind' ? 'similar tools' : 'tools of this category';
  const near = `${tools} ${which} within ${withinMiles} miles`;
  const [low, high] = [formatCents(lowCents), formatCents(highCents)];
  return low === high
    ? `Of ${near}, most cost ${low} for each ${per}.`
    : `Of ${near}, half cost ${low} to ${high} for each ${per}.`;
}

interface PriceHintProps {
  name: string;
  categoryId: string;
  circle: Tool['rental_circle'];
  pickUp: PickUp;
  price: number | '';
  onPrice: (dollars: number) => void;
}

/** What similar tools nearby rent for. Empty until a category is chosen, and if too few tools are near. */
export function PriceHint({ name, categoryId, circle, pickUp, price, onPrice }: PriceHintProps) {
  const userId = useUser()?.id ?? '';
  const [typed] = useDebouncedValue(name.trim(), typingPauseMs);
  const { currentData: data } = usePriceRangeQuery(
    categoryId
      ? { userId, category: categoryId, rental_circle: circle, name: typed, ...pickUp.point }
      : skipToken,
  );
  if (!data) return null;
  const median = data.medianCents / 100;
  return (
    <Group gap="xs" role="status">
      <Text size="sm" c="dimmed">
        {rangeInWords(data, circle === 'hourly' ? 'hour' : 'day')}
      </Text>
      {price !== median && (
        <Button size="compact-sm" variant="default" onClick={() => onPrice(median)}>
          Use {formatMoney(median)}
        </Button>
      )}
    </Group>
  );
}
