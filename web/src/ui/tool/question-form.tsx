import { longestMessage } from '@lendtools/contracts/message-limits';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import type { FormEvent } from 'react';

interface QuestionFormProps {
  /** The owner's first name. */
  owner: string;
  text: string;
  onChange: (text: string) => void;
  onSubmit: () => void;
  isLoading: boolean;
  error?: string | undefined;
}

/** The text of a first question to a tool's owner. */
export function QuestionForm({
  owner,
  text,
  onChange,
  onSubmit,
  isLoading,
  error,
}: QuestionFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() && !isLoading) onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">
          About the tool, your dates, or when to pick it up. {owner} gets an email and answers here.
        </Text>
        <Textarea
          label="Your question"
          required
          autosize
          minRows={4}
          maxRows={10}
          maxLength={longestMessage}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          error={error}
        />
        <Button
          type="submit"
          size="md"
          loading={isLoading}
          disabled={!text.trim()}
          rightSection={<IconSend2 size={18} aria-hidden />}
        >
          Send to {owner}
        </Button>
      </Stack>
    </form>
  );
}
