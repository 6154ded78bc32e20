import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useLazyQuestionQuery, useSendQuestionMutation } from '../../api/question-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { addToDraft, questionDraft } from '../../lib/use-draft.ts';
import { useKeyOfText } from '../../lib/use-key-of-text.ts';
import { keepVisitorQuestion, readVisitorQuestion } from '../../lib/visitor-questions.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { toastError } from '../../ui/toast.ts';
import { QuestionForm } from '../../ui/tool/question-form.tsx';
import { useAccountDialog } from '../../ui/use-account-dialog.tsx';

/** Sends the question that a user wrote as a visitor, and opens the conversation. Keeps the text if it can't be sent. */
function useSendAfterLogin(tool: Tool) {
  const userId = useUser()?.id;
  const [find] = useLazyQuestionQuery();
  const [send] = useSendQuestionMutation();
  const { keyOf } = useKeyOfText();
  const navigate = useNavigate();
  return async (message: string) => {
    if (!userId) return;
    const { data: open } = await find({ userId, toolId: tool.id });
    if (!open) {
      const question = { userId, toolId: tool.id, message, idempotencyKey: keyOf(message) };
      const { data: sent, error } = await send(question);
      if (sent) return void navigate(paths.ofId(paths.conversation, sent.bookingId));
      toastError(errorMessage(error));
    }
    addToDraft(questionDraft(userId, tool.id), message);
    void navigate(`${paths.conversation}?tool=${tool.id}`);
  };
}

interface AskDialogProps {
  tool: Tool;
  onClose: () => void;
}

/** A visitor's question: it is sent once the visitor has signed up or logged in. */
export default function AskDialog({ tool, onClose }: AskDialogProps) {
  const owner = tool.user.first_name;
  const [text, setText] = useState(() => readVisitorQuestion(tool.id));
  const change = (next: string) => {
    setText(next);
    keepVisitorQuestion(tool.id, next);
  };
  const [isSending, setIsSending] = useState(false);
  const send = useSendAfterLogin(tool);
  const account = useAccountDialog({
    intro: `Sign up or log in, and ${owner} gets your question.`,
    onLoggedIn: () => {
      setIsSending(true);
      keepVisitorQuestion(tool.id, '');
      void send(text.trim());
    },
  });
  return (
    <>
      <Sheet title={`Ask ${owner}`} opened={!account.isOpen} onClose={onClose}>
        <QuestionForm
          owner={owner}
          text={text}
          onChange={change}
          onSubmit={account.open}
          isLoading={isSending}
        />
      </Sheet>
      {account.dialog}
    </>
  );
}
