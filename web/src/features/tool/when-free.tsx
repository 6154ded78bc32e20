import type { Tool } from '@lendtools/contracts';
import { useNextFree } from './use-next-free.ts';

/** Sentences about when an unavailable tool is free by its calendar. */
export default function WhenFree({ tool }: { tool: Tool }) {
  const { isTakenNow, nextFree } = useNextFree(tool);
  return (
    <>
      {isTakenNow && 'Taken now. '}
      {nextFree && `${nextFree}. `}
    </>
  );
}
