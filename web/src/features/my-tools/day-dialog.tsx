import type { Booking, Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatLongDay } from '../../lib/format.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { byWhom } from './calendar-days.tsx';
import { type Block, rangeInWords } from './lent-days.ts';

/** A day for which a dialog offers several actions. */
export interface AskedDay {
  tool: Tool;
  day: string;
  bookings: Booking[];
  blocks: Block[];
}

interface DayDialogProps {
  asked: AskedDay | null;
  onClose: () => void;
  onFree: (asked: AskedDay) => void;
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export function DayDialog({ asked, onClose, onFree }: DayDialogProps) {
  useBackCloses(asked !== null, onClose);
  return (
    <Modal opened={asked !== null} onClose={onClose} title={asked && formatLongDay(asked.day)}>
      {asked && (
        <Stack gap="sm">
          <Text>{asked.tool.name}</Text>
          {asked.bookings.map((booking) => (
            <Button
              key={booking.id}
              component={Link}
              to={paths.ofId(paths.myBooking, booking.id)}
              variant="default"
            >
              {sentence(byWhom(booking, asked.day))}
            </Button>
          ))}
          {asked.blocks.length > 0 && (
            <Button
              variant="default"
              onClick={() => {
                onClose();
                onFree(asked);
              }}
            >
              Free {asked.blocks.map(rangeInWords).join(', ')}
            </Button>
          )}
        </Stack>
      )}
    </Modal>
  );
}
