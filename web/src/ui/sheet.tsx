import { Drawer, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useBackCloses } from '../lib/use-back-closes.ts';
import classes from './sheet.module.css';

interface SheetProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A sheet from the bottom of a phone's screen; a dialog on wider screens. */
export function Sheet({ title, opened, onClose, children }: SheetProps) {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  useBackCloses(opened, onClose);
  if (isWide) {
    return (
      <Modal opened={opened} onClose={onClose} title={title} size={600}>
        {children}
      </Modal>
    );
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="bottom"
      classNames={{ content: classes.sheet }}
    >
      {children}
    </Drawer>
  );
}
