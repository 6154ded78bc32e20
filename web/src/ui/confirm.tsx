import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { wakeOverlays } from './wake-overlays.ts';

interface ConfirmLabels {
  title?: string;
  confirm?: string;
  cancel?: string;
}

/** Shows a confirmation dialog and returns whether the user agreed; Escape and a click outside mean no. */
export async function confirm(question: string, labels: ConfirmLabels = {}): Promise<boolean> {
  await wakeOverlays();
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: labels.title ?? 'Are you sure?',
      children: <Text>{question}</Text>,
      labels: { confirm: labels.confirm ?? 'Yes, go ahead', cancel: labels.cancel ?? 'Cancel' },
      // White text has a contrast of 3.8:1 on the theme's red 7, and of 5.6:1 on red 9.
      confirmProps: { color: 'red.9' },
      // Focus Cancel, so that Enter pressed too early changes nothing.
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
