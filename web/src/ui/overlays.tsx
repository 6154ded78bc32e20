import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { shownAtOnce } from './toast.ts';
import { overlaysMounted } from './wake-overlays.ts';

/** Where toasts and dialogs show; it comes with the first of them. */
export default function Overlays() {
  useEffect(overlaysMounted, []);
  return (
    <ModalsProvider>
      <Notifications position="top-center" limit={shownAtOnce} />
    </ModalsProvider>
  );
}
