import type { NotificationData } from '@mantine/notifications';
import { wakeOverlays } from './wake-overlays.ts';

export const shownAtOnce = 3;

/**
 * Shows a toast, once the code for toasts has loaded. A new toast replaces the oldest if too many are open; Mantine
 * would queue it.
 */
export async function showToast(toast: NotificationData): Promise<void> {
  void wakeOverlays();
  const { notifications, notificationsStore } = await import('@mantine/notifications');
  notifications.updateState(notificationsStore, (older) => older.slice(1 - shownAtOnce));
  notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...toast });
}

/** Reports a success. Mantine gives every toast `role="alert"`. */
export function toastSuccess(message: string): void {
  void showToast({ message, color: 'green', autoClose: 5000 });
}

/** Reports an error; shown longer, since it may need a second reading. */
export function toastError(message: string): void {
  void showToast({ message, color: 'red', autoClose: 9000 });
}

export async function dismissToast(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.hide(id);
}

/** Removes all toasts, for example the error of a previous attempt. */
export async function dismissToasts(): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
}
