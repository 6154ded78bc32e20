import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorMessage, fieldErrors } from '../api/error-message.ts';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { toastSuccess } from './toast.ts';

interface TextDialogProps {
  /** The button's text. If a page has several such buttons, `buttonName` is a longer accessible name. */
  button: string;
  buttonName?: string;
  size?: 'sm';
  title: string;
  children: ReactNode;
  label: string;
  description: string;
  /** The field's name in the request; the server's errors for this name are shown below the input. */
  field: 'text' | 'note' | 'reason' | 'message';
  missing: string;
  maxLength: number;
  submit: string;
  /** The color of the button that submits. */
  color?: string;
  done: string;
  onSubmit: (text: string) => Promise<{ error?: unknown }>;
}

function TextForm(props: TextDialogProps & { onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (!text.trim()) return setProblem(props.missing);
    setIsSending(true);
    const { error } = await props.onSubmit(text.trim());
    setIsSending(false);
    if (error) return setProblem(fieldErrors(error)[props.field] ?? errorMessage(error));
    toastSuccess(props.done);
    props.onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <Text>{props.children}</Text>
        <Textarea
          label={props.label}
          description={props.description}
          withAsterisk
          autosize
          minRows={3}
          maxRows={10}
          maxLength={props.maxLength}
          data-autofocus
          value={text}
          error={problem}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem('');
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Not now
          </Button>
          <Button type="submit" color={props.color} loading={isSending}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A button that opens a dialog with a text field. If the request fails, the dialog stays open with the text. */
export function TextDialog(props: TextDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  return (
    <>
      <Button
        variant="default"
        size={props.size}
        aria-label={props.buttonName}
        onClick={() => setIsOpen(true)}
      >
        {props.button}
      </Button>
      <Modal opened={isOpen} onClose={close} title={props.title}>
        <TextForm {...props} onClose={close} />
      </Modal>
    </>
  );
}
