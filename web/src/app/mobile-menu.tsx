import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const MenuPanel = lazy(() => import('./menu-panel.tsx'));

/** The menu of a small screen; its panel is fetched when it is first opened. */
export function useMenuPanel() {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  const isOpen = state === 'open';
  const panel = state !== 'unused' && (
    <Suspense>
      <MenuPanel opened={isOpen} onClose={() => setState('closed')} />
    </Suspense>
  );
  return { panel, isOpen, open: () => setState('open') };
}

export function MobileMenu() {
  const { panel, isOpen, open } = useMenuPanel();
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="inherit"
        size={44}
        onClick={open}
        aria-label="Open the menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
      >
        <IconMenu2 size={24} stroke={1.7} />
      </ActionIcon>
      {panel}
    </>
  );
}
