import { Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useBackCloses } from '../../lib/use-back-closes.ts';

const commands: [command: string, what: string][] = [
  ['npm run dead-letters -- list', 'lists the queues with dead letters.'],
  ['npm run dead-letters -- show QUEUE', 'shows each event with its error.'],
  ['npm run dead-letters -- replay QUEUE', 'delivers them again, once the cause is fixed.'],
];

/** Dead letters are replayed at the server, once their cause is fixed. */
export function DeadLetters() {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)} aria-label="How to replay dead letters">
        Replay
      </Button>
      <Modal opened={isOpen} onClose={close} title="Replay dead letters">
        <Stack gap="sm">
          <Text>
            An event failed ten times, so its effect is missing. Fix the cause, usually by an
            update, then replay it at the server. It takes effect once, however often you replay it.
          </Text>
          {commands.map(([command, what]) => (
            <div key={command}>
              <Code block>{command}</Code>
              <Text size="sm" c="dimmed">
                {what}
              </Text>
            </div>
          ))}
          <Text size="sm" c="dimmed">
            The runbook has the commands for Docker Compose, under DeadLetters.
          </Text>
        </Stack>
      </Modal>
    </>
  );
}
