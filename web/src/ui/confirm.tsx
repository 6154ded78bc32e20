import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { wakeOverlays } from './wake-overlays.ts';

interface ConfirmLabels {
  title?: string;
  confirm?: string;
  cancel?: string;
}

/** Asks in a dialog and returns whether the person agreed; Escape and a click outside mean no. */
export async function confirm(question: string, labels: ConfirmLabels = {}): Promise<boolean> {
  await wakeOverlays();
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: labels.title ?? 'Are you sure?',
      children: <Text>{question}</Text>,
      labels: { confirm: labels.confirm ?? 'Yes, go ahead', cancel: labels.cancel ?? 'Cancel' },
      // The theme's seventh red carries white text at 3.8:1, the ninth at 5.6:1.
      confirmProps: { color: 'red.9' },
      // Whoever presses Enter too soon keeps things as they are.
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
