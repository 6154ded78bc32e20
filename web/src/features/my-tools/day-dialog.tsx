import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { formatLongDay } from '../../rental/format.ts';
import { type Block, rangeInWords, type Stay } from './lent-days.ts';
import { byWhom } from './stay-words.ts';

export interface SelectedDay {
  tool: Tool;
  day: string;
  stays: Stay[];
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
          {selected.stays.map((stay) => (
            <Button
              key={stay.booking.id}
              component={Link}
              to={paths.ofId(paths.myBooking, stay.booking.id)}
              variant="default"
            >
              {sentence(byWhom(stay))}
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
