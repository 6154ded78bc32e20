import { ActionIcon, Group, Input, Text } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './quantity-field.module.css';

interface QuantityFieldProps {
  quantity: number;
  most: number;
  onChange: (quantity: number) => void;
}

export function QuantityField({ quantity, most, onChange }: QuantityFieldProps) {
  const labelId = useId();
  return (
    <Group justify="space-between">
      <Input.Label component="span" size="md" mb={0} id={labelId}>
        Quantity
        {most > 1 && (
          <Text span size="sm" c="dimmed" fw={400}>
            {' '}
            of {most}
          </Text>
        )}
      </Input.Label>
      <Group gap={4} role="group" aria-labelledby={labelId}>
        <ActionIcon
          variant="default"
          className={classes.step}
          size={44}
          onClick={() => onChange(quantity - 1)}
          disabled={quantity <= 1}
          aria-label="One less"
        >
          <IconMinus size={18} />
        </ActionIcon>
        <Text w={40} ta="center" fw={650} className="tabular" aria-live="polite">
          {quantity}
        </Text>
        <ActionIcon
          variant="default"
          className={classes.step}
          size={44}
          onClick={() => onChange(quantity + 1)}
          disabled={quantity >= most}
          aria-label="One more"
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
