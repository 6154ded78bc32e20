import { Button, Group, Text } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { formatDay } from '../../rental/format.ts';
import classes from './my-calendar.module.css';

interface BlockingHintProps {
  error: unknown;
  /** The first day of a range whose last day is not chosen yet. */
  start: { day: string; tool: string } | null;
  isWide: boolean;
  onCancel: () => void;
}

export function BlockingHint({ error, start, isWide, onCancel }: BlockingHintProps) {
  return (
    <Group gap="xs" mb="sm" wrap="nowrap" align="flex-start" className={classes.hint}>
      <Text role="status" size="sm" c="dimmed">
        {error
          ? errorMessage(error)
          : start
            ? `${start.tool} from ${formatDay(start.day)} until …: choose the last day to block`
            : `To block days, choose the first and the last${isWide ? ', or drag over them' : ''}. Choose a blocked day to free its whole range.`}
      </Text>
      {start && (
        <Button flex="none" size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Group>
  );
}
