import { UnstyledButton } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { whenNear } from '../lib/when-near.ts';
import { Part } from '../ui/part.tsx';

function loadPanel() {
  return import('./menu-panel.tsx');
}

const MenuPanel = lazy(loadPanel);

export function useMenuPanel() {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  const isOpen = state === 'open';
  const panel = state !== 'unused' && (
    <Part>
      <MenuPanel opened={isOpen} onClose={() => setState('closed')} />
    </Part>
  );
  return { panel, isOpen, open: () => setState('open'), near: whenNear(loadPanel) };
}

export function MobileMenu() {
  const { panel, isOpen, open, near } = useMenuPanel();
  return (
    <>
      <UnstyledButton
        {...near}
        className="icon-button"
        onClick={open}
        aria-label="Open the menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        <IconMenu2 size={24} stroke={1.7} />
      </UnstyledButton>
      {panel}
    </>
  );
}
