import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const MenuPanel = lazy(() => import('./menu-panel.tsx'));

/** The menu of a small screen; its panel is fetched when it is first opened. */
export function MobileMenu() {
  const [panel, setPanel] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="inherit"
        size={44}
        onClick={() => setPanel('open')}
        aria-label="Open the menu"
        aria-expanded={panel === 'open'}
      >
        <IconMenu2 size={24} stroke={1.7} />
      </ActionIcon>
      {panel !== 'unused' && (
        <Suspense>
          <MenuPanel opened={panel === 'open'} onClose={() => setPanel('closed')} />
        </Suspense>
      )}
    </>
  );
}
