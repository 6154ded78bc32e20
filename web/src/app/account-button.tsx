import { Button, type ButtonProps } from '@mantine/core';
import { IconChevronDown, IconUser } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

type AccountButtonProps = ButtonProps & ComponentProps<'button'> & { label: string };

/** The button of the account menu, shown before the menu's code has loaded. */
export function AccountButton({ label, ...button }: AccountButtonProps) {
  return (
    <Button
      {...button}
      variant="default"
      radius="xl"
      leftSection={<IconUser size={18} />}
      rightSection={<IconChevronDown size={16} />}
    >
      {label}
    </Button>
  );
}
