import '@mantine/notifications/styles.css';
import { ModalsProvider, useModals } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { shownAtOnce } from './toast.ts';
import { overlaysMounted } from './wake-overlays.ts';

function BackCloses() {
  const { modals, closeAll } = useModals();
  useBackCloses(modals.length > 0, closeAll);
  return null;
}

/** Renders toasts and dialogs; loaded with the first of them. */
export default function Overlays() {
  useEffect(overlaysMounted, []);
  return (
    <ModalsProvider>
      <BackCloses />
      <Notifications position="top-center" limit={shownAtOnce} />
    </ModalsProvider>
  );
}
