import { Button, Group } from '@mantine/core';
import { randomId } from '../lib/random-id.ts';
import { dismissToast, showToast } from './toast.ts';

/** Offers an undo for `forMs` milliseconds. Returns the toast's id. */
export function toastWithUndo(message: string, forMs: number, onUndo: () => void): string {
  const id = randomId();
  const undo = () => {
    void dismissToast(id);
    onUndo();
  };
  const words = (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      {message}
      <Button variant="default" size="xs" onClick={undo} style={{ flex: 'none' }}>
        Undo
      </Button>
    </Group>
  );
  void showToast({ id, message: words, color: 'green', autoClose: forMs });
  return id;
}
