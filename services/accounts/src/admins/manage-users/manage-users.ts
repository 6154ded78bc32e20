import {
  type Body,
  type Envelope,
  isAdminRole,
  maxPageSize,
  type Role,
  routes,
} from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle, readCursor, splitPage, type Transaction } from '@lendtools/service-kit';
import { deletionChanged } from '../../deletion/deletion-changed.ts';
import type { Deps } from '../../deps.ts';
import { cutsAccess, leavesNoAdmin, mayChange } from '../../domain/admin-rules.ts';
import { isClosed, isDisabled, reopened } from '../../domain/deletion.ts';
import { administratorsOnly, lastAdmin, userNotFound } from '../../domain/errors.ts';
import { toApiUser, toEventRole, toProfile, type User } from '../../domain/user.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import { dropFormerEmails } from '../../store/former-email-repository.ts';
import { dropMailedTokens } from '../../store/mailed-token-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import {
  countOtherAdmins,
  cutEarlierTokens,
  findUser,
  listUsers,
  lockAdmins,
  lockUser,
  saveUser,
} from '../../store/user-repository.ts';

export const allUsers = ({ pool }: Deps) =>
  handle(routes.allUsers, async ({ query }) => {
    const limit = query.limit ?? maxPageSize;
    const before = readCursor(query.cursor);
    const { q, role, disabled } = query;
    const search = { q, role, disabled, before, limit: limit + 1 };
    const { users, ...total } = await listUsers(pool, search);
    const { items, nextCursor } = splitPage(users, limit);
    return { users: items.map(toApiUser), ...total, nextCursor };
  });

export const getUser = ({ pool }: Deps) =>
  handle(routes.getUser, async ({ params }) => {
    const user = await findUser(pool, params.userId);
    if (!user) throw userNotFound();
    return { user: toApiUser(user) };
  });

/** Changes a user, and revokes the access tokens if the role changes or the user is disabled. */
export const setUser = (deps: Deps) =>
  handle(routes.setUser, async ({ params, body, user }) => {
    const saved = await cutAccess(deps, (tx, publish) =>
      changeUser(tx, publish, { id: params.userId, by: user.accountRole, ...body }),
    );
    return { user: toApiUser(saved) };
  });

type Publish = (...events: Envelope[]) => void;
/** `by`: the role of the admin. */
type UserChange = { id: string; by: Role } & Body<typeof routes.setUser>;

/** @throws AppError 404 if there is no such user; 403 if only an administrator may change this; 409 if none would remain */
export const changeUser = async (
  tx: Transaction,
  publish: Publish,
  change: UserChange,
): Promise<User> => {
  await lockAdmins(tx);
  const user = await lockUser(tx, change.id);
  if (!user || user.deletedAt) throw userNotFound();
  const before = { role: user.role, disabled: isDisabled(user) };
  const after = {
    role: change.role ?? before.role,
    disabled: change.disabled ?? before.disabled,
  };
  if (before.role === after.role && before.disabled === after.disabled) return user;
  if (!mayChange(change.by, before, after)) throw administratorsOnly();
  if (leavesNoAdmin(before, after, await countOtherAdmins(tx, user.id))) throw lastAdmin();

  const changed = await saveUser(tx, {
    ...user,
    role: after.role,
    ...standingAfter(user, after.disabled),
  });
  const { id: userId } = changed;
  if (cutsAccess(before, after)) await cutEarlierTokens(tx, userId);
  await dropMailedTokens(tx, userId);
  if (before.role !== after.role) {
    publish(newEvent('RoleChanged', changed, { userId, ...toEventRole(after.role) }));
    publish(newEvent('AccountUpdated', changed, toProfile(changed)));
    // A session that began as one role's must not go on as another's.
    await endSessions(tx, { userId });
    // Old links must not take an admin's account.
    if (isAdminRole(after.role)) await dropFormerEmails(tx, userId);
  }
  if (before.disabled !== after.disabled) {
    publish(newEvent('AccountDisabled', changed, { userId, disabled: after.disabled }));
    // Publish no session events: `AccountDisabled` already revokes the tokens of these sessions.
    if (after.disabled) await endSessions(tx, { userId });
  }
  if (user.deletionDueAt && !changed.deletionDueAt) publish(deletionChanged(changed));
  return changed;
};

/** An account that an admin disables is not deleted: its user can no longer log in to keep it. */
const standingAfter = (user: User, disabled: boolean) => {
  const { disabledAt, deletionDueAt } = user;
  if (disabled) return { disabledAt: disabledAt ?? new Date(), deletionDueAt: null };
  return isClosed(user) ? { disabledAt, deletionDueAt } : reopened;
};
