import type { SavedCard } from '@lendtools/contracts';
import { Radio, Stack } from '@mantine/core';
import { cardName, expiryOf } from '../../ui/card-words.ts';

/** The value of the choice that opens the card form. */
export const anotherCard = 'another';

interface CardChoiceProps {
  cards: SavedCard[];
  value: string;
  error: string;
  disabled: boolean;
  onChange: (value: string) => void;
}

export function CardChoice({ cards, value, error, disabled, onChange }: CardChoiceProps) {
  return (
    <Radio.Group label="Card" size="md" value={value} error={error || null} onChange={onChange}>
      <Stack gap="sm" mt="xs">
        {cards.map((card) => (
          <Radio
            key={card.id}
            value={card.id}
            label={cardName(card)}
            description={expiryOf(card)}
            disabled={disabled}
          />
        ))}
        <Radio value={anotherCard} label="Another card" disabled={disabled} />
      </Stack>
    </Radio.Group>
  );
}
