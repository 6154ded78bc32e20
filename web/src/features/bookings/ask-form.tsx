import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useKeyOfText } from '../../lib/use-key-of-text.ts';
import classes from './conversation.module.css';
import { useSendQuestionMutation } from './conversation-api.ts';
import { longestMessage } from './thread.tsx';

/** Sends the first message about a tool, and then shows the conversation. */
export function AskForm({ tool, userId }: { tool: Tool; userId: string }) {
  const owner = tool.user.first_name;
  const [text, setText, clear] = useDraft(`question:${userId}:${tool.id}`, '');
  const [send, { isLoading, error }] = useSendQuestionMutation();
  const navigate = useNavigate();
  const { keyOf } = useKeyOfText();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const message = text.trim();
    if (!message || isLoading) return;
    const question = { userId, toolId: tool.id, message, idempotencyKey: keyOf(message) };
    const { data } = await send(question);
    if (!data) return;
    clear();
    void navigate(paths.ofId(paths.conversation, data.bookingId), { replace: true });
  };
  return (
    <form className={classes.ask} onSubmit={(event) => void submit(event)}>
      <Stack>
        <Title order={2} fz="h3">
          Ask {owner}
        </Title>
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
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={error && errorMessage(error)}
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
