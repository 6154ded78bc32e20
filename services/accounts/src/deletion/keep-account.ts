import type { Envelope } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { type Transaction, unschedule } from '@lendtools/service-kit';
import { reopened } from '../domain/deletion.ts';
import type { User } from '../domain/user.ts';
import { saveUser } from '../store/user-repository.ts';
import { deletionChanged } from './deletion-changed.ts';

/** Keeps a locked account whose deletion was requested. */
export const keepAccount = async (
  tx: Transaction,
  user: User,
  publish: (...events: Envelope[]) => void,
): Promise<User> => {
  const saved = await saveUser(tx, { ...user, ...reopened });
  await unschedule(tx, 'delete-account', user.id);
  publish(
    newEvent('AccountDisabled', saved, { userId: user.id, disabled: false }),
    deletionChanged(saved),
  );
  return saved;
};
