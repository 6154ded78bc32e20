import type { Tool } from '@lendtools/contracts';
import { Text } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useNextFree } from './use-next-free.ts';

/** The status, or "Taken now" for a tool on offer whose units are all out; then when it is free next. */
export default function CurrentStatus({ tool }: { tool: Tool }) {
  const { isTakenNow, nextFree } = useNextFree(tool);
  const isOut = isTakenNow && tool.item_status === 'Available';
  return (
    <>
      <StatusBadge status={isOut ? 'Taken now' : tool.item_status} />
      {nextFree && <Text span>{nextFree}</Text>}
    </>
  );
}
