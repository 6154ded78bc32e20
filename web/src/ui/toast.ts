import { notifications } from '@mantine/notifications';

/** Says that something worked. Mantine gives every toast `role="alert"`. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 5000 });
}

/** Says what went wrong; stays longer, since it may need a second reading. */
export function toastError(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 9000 });
}
