import type { Booking, Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { formatLongDay } from '../../rental/format.ts';
import { byWhom } from './calendar-days.tsx';
import { type Block, rangeInWords } from './lent-days.ts';

export interface SelectedDay {
  tool: Tool;
  day: string;
  bookings: Booking[];
  blocks: Block[];
}

interface DayDialogProps {
  selected: SelectedDay | null;
  onClose: () => void;
  onFree: (selected: SelectedDay) => void;
}

function sentence(words: string) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function DayDialog({ selected, onClose, onFree }: DayDialogProps) {
  useBackCloses(selected !== null, onClose);
  return (
    <Modal
      opened={selected !== null}
      onClose={onClose}
      title={selected && formatLongDay(selected.day)}
    >
      {selected && (
        <Stack gap="sm">
          <Text>{selected.tool.name}</Text>
          {selected.bookings.map((booking) => (
            <Button
              key={booking.id}
              component={Link}
              to={paths.ofId(paths.myBooking, booking.id)}
              variant="default"
            >
              {sentence(byWhom(booking, selected.day))}
            </Button>
          ))}
          {selected.blocks.length > 0 && (
            <Button
              variant="default"
              onClick={() => {
                onClose();
                onFree(selected);
              }}
            >
              Free {selected.blocks.map(rangeInWords).join(', ')}
            </Button>
          )}
        </Stack>
      )}
    </Modal>
  );
}
