import { ActionIcon, Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useBlock } from './use-block.ts';

interface BlockButtonProps {
  userId: string;
  id: string;
  name: string;
  /** Shows only an icon. */
  isSmall?: boolean;
  onBlocked?: () => void;
}

/** Blocks another person after a question, or unblocks them. */
export default function BlockButton({ userId, id, name, isSmall, onBlocked }: BlockButtonProps) {
  const { isBlocked, isLoading, block, unblock } = useBlock(userId, { id, name });
  const label = `${isBlocked ? 'Unblock' : 'Block'} ${name}`;
  const toggle = async () => {
    if (isBlocked) await unblock();
    else if (await block()) onBlocked?.();
  };
  return isSmall ? (
    <ActionIcon
      variant={isBlocked ? 'light' : 'subtle'}
      color={isBlocked ? 'red' : 'gray'}
      size={28}
      aria-label={label}
      loading={isLoading}
      onClick={() => void toggle()}
    >
      <IconBan size={16} aria-hidden />
    </ActionIcon>
  ) : (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      leftSection={<IconBan size={16} aria-hidden />}
      loading={isLoading}
      onClick={() => void toggle()}
    >
      {label}
    </Button>
  );
}
