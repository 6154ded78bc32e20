import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';

interface DeclineProps {
  title: string;
  children: ReactNode;
  reader: string;
  done: string;
  onDecline: (note: string) => Promise<{ error?: unknown }>;
}

function DeclineForm({
  children,
  reader,
  done,
  onDecline,
  onClose,
}: DeclineProps & { onClose: () => void }) {
  const [note, setNote] = useState('');
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsSending(true);
    const { error } = await onDecline(note.trim());
    setIsSending(false);
    if (error) return toastError(errorMessage(error));
    toastSuccess(done);
    onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text>{children}</Text>
        <Textarea
          label="A note"
          description={`Optional. ${reader} reads it.`}
          autosize
          minRows={2}
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" color="red.9" loading={isSending}>
            Decline
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function DeclineWithNote(props: DeclineProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Decline
      </Button>
      <Modal opened={isOpen} onClose={close} title={props.title}>
        <DeclineForm {...props} onClose={close} />
      </Modal>
    </>
  );
}
