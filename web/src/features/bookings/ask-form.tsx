import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Stack, Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useSendQuestionMutation } from '../../api/question-api.ts';
import { questionDraft, useDraft } from '../../lib/use-draft.ts';
import { useKeyOfText } from '../../lib/use-key-of-text.ts';
import { QuestionForm } from '../../ui/tool/question-form.tsx';
import classes from './conversation.module.css';

/** Sends the first message about a tool, and then shows the conversation. */
export function AskForm({ tool, userId }: { tool: Tool; userId: string }) {
  const owner = tool.user.first_name;
  const [text, setText, clear] = useDraft(questionDraft(userId, tool.id), '');
  const [send, { isLoading, error }] = useSendQuestionMutation();
  const navigate = useNavigate();
  const { keyOf } = useKeyOfText();
  const submit = async () => {
    const message = text.trim();
    const question = { userId, toolId: tool.id, message, idempotencyKey: keyOf(message) };
    const { data } = await send(question);
    if (!data) return;
    clear();
    void navigate(paths.ofId(paths.conversation, data.bookingId), { replace: true });
  };
  return (
    <Stack className={classes.ask} gap="md">
      <Title order={2} fz="h3">
        Ask {owner}
      </Title>
      <QuestionForm
        owner={owner}
        text={text}
        onChange={setText}
        onSubmit={() => void submit()}
        isLoading={isLoading}
        error={error && errorMessage(error)}
      />
    </Stack>
  );
}
