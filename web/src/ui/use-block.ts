import {
  useBlockedPeopleQuery,
  useBlockPersonMutation,
  useUnblockPersonMutation,
} from '../api/blocks-api.ts';
import { errorMessage } from '../api/error-message.ts';
import { confirm } from './confirm.tsx';
import { toastError, toastSuccess } from './toast.ts';
import { toastWithUndo } from './undo-toast.tsx';

const undoForMs = 10_000;

interface Person {
  id: string;
  name: string;
}

/** Blocks and unblocks another person. `isBlocked` is undefined until it is known; blocking a blocked person is a no-op. */
export function useBlock(userId: string, { id, name }: Person) {
  const { data: people } = useBlockedPeopleQuery(userId);
  const [blockPerson, blocking] = useBlockPersonMutation();
  const [unblockPerson, unblocking] = useUnblockPersonMutation();

  const unblock = async () => {
    const { error } = await unblockPerson({ userId, id });
    if (error) toastError(errorMessage(error));
    else toastSuccess(`You unblocked ${name}.`);
  };
  /** Returns whether the person is blocked now. */
  const block = async (): Promise<boolean> => {
    const isAgreed = await confirm(
      `You won’t see each other’s tools, and can’t ask, book or write to each other. What you have booked or requested from each other goes on, and you can write about it until it is over and the tool is back. We don’t tell ${name}. You can unblock ${name} in your settings.`,
      { title: `Block ${name}?`, confirm: `Block ${name}` },
    );
    if (!isAgreed) return false;
    const { error } = await blockPerson({ userId, id });
    if (error) toastError(errorMessage(error));
    else toastWithUndo(`You blocked ${name}.`, undoForMs, () => void unblock());
    return !error;
  };
  return {
    isBlocked: people?.some((person) => person.id === id),
    isLoading: blocking.isLoading || unblocking.isLoading,
    block,
    unblock,
  };
}
