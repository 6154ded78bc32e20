import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';

/** Toasts and dialogs: nobody needs them in the first second, so they come after the screen. */
export default function Overlays() {
  return (
    <ModalsProvider>
      <Notifications position="top-center" limit={3} />
    </ModalsProvider>
  );
}
