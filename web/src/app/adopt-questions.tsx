import * as paths from '@lendtools/contracts/pages';
import { Button, Group } from '@mantine/core';
import { randomId } from '../lib/random-id.ts';
import { addToDraft, questionDraft } from '../lib/use-draft.ts';
import {
  keepVisitorQuestion,
  readVisitorQuestion,
  toolsOfVisitorQuestions,
} from '../lib/visitor-questions.ts';
import { dismissToast, showToast } from '../ui/toast.ts';

function toastUnsent(onOpen: () => void): void {
  const id = randomId();
  const open = () => {
    void dismissToast(id);
    onOpen();
  };
  const message = (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      Your question isn’t sent yet.
      <Button variant="default" size="xs" onClick={open} style={{ flex: 'none' }}>
        Open
      </Button>
    </Group>
  );
  void showToast({ id, message, color: 'yellow', autoClose: 15_000 });
}

/** Moves the questions that were written before the login to the member's drafts. */
export function adoptQuestions(userId: string, goTo: (address: string) => void): void {
  for (const toolId of toolsOfVisitorQuestions()) {
    addToDraft(questionDraft(userId, toolId), readVisitorQuestion(toolId));
    keepVisitorQuestion(toolId, '');
    toastUnsent(() => goTo(`${paths.conversation}?tool=${toolId}`));
  }
}
