import type { NotificationData } from '@mantine/notifications';
import { wakeOverlays } from './wake-overlays.ts';

export const shownAtOnce = 3;

/** Shows a toast. If too many are open, replaces the oldest; Mantine would queue the new one. */
export async function showToast(toast: NotificationData): Promise<void> {
  void wakeOverlays();
  const { notifications, notificationsStore } = await import('@mantine/notifications');
  notifications.updateState(notificationsStore, (older) => older.slice(1 - shownAtOnce));
  notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...toast });
}

/** Shows a toast. Screen readers announce it, because Mantine gives every toast `role="alert"`. */
export function toastSuccess(message: string): void {
  void showToast({ message, color: 'green', autoClose: 5000 });
}

/** Shows an error longer than a success, because an error may need a second reading. */
export function toastError(message: string): void {
  void showToast({ message, color: 'red', autoClose: 9000 });
}

export async function dismissToast(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.hide(id);
}

export async function dismissToasts(): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
}
