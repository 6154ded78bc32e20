import { UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  return (
    <UnstyledButton
      className="icon-button"
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      aria-label={dark ? 'Use light colors' : 'Use dark colors'}
    >
      {dark ? <IconSun size={22} stroke={1.7} /> : <IconMoon size={22} stroke={1.7} />}
    </UnstyledButton>
  );
}
