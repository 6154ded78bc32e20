import type { NotificationData } from '@mantine/notifications';
import { wakeOverlays } from './wake-overlays.ts';

export const shownAtOnce = 3;

/**
 * What is said before the toasts' own code is there is kept, and shown when it is. The newest is always seen: the
 * oldest makes room for it, where Mantine would let it wait.
 */
export async function showToast(toast: NotificationData): Promise<void> {
  void wakeOverlays();
  const { notifications, notificationsStore } = await import('@mantine/notifications');
  notifications.updateState(notificationsStore, (older) => older.slice(1 - shownAtOnce));
  notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...toast });
}

/** Says that something worked. Mantine gives every toast `role="alert"`. */
export function toastSuccess(message: string): void {
  void showToast({ message, color: 'green', autoClose: 5000 });
}

/** Says what went wrong; stays longer, since it may need a second reading. */
export function toastError(message: string): void {
  void showToast({ message, color: 'red', autoClose: 9000 });
}

/** Takes one back by its id. */
export async function dismissToast(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.hide(id);
}

/** Removes all toasts: a second try makes the first one's failure obsolete. */
export async function dismissToasts(): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
}
