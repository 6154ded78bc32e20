import { newEvent } from '@lendtools/event-bus';
import { isDisabled } from '../domain/deletion.ts';
import type { User } from '../domain/user.ts';

export const deletionChanged = (user: User) =>
  newEvent('AccountDeletionChanged', user, {
    userId: user.id,
    email: user.email,
    firstName: user.firstName,
    timeZone: user.timeZone,
    deletionDueAt: user.deletionDueAt?.toISOString() ?? null,
    disabled: isDisabled(user),
  });
