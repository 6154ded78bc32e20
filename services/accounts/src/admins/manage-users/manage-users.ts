import { type Body, type Envelope, maxPageSize, routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { handle, readCursor, splitPage, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { cutsAccess, leavesNoAdmin } from '../../domain/admin-rules.ts';
import { lastAdmin, userNotFound } from '../../domain/errors.ts';
import { toApiUser, toProfile, type User } from '../../domain/user.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import { dropFormerEmails } from '../../store/former-email-repository.ts';
import { dropMailedTokens } from '../../store/mailed-token-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import {
  cutEarlierTokens,
  findUser,
  listUsers,
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
  handle(routes.setUser, async ({ params, body }) => {
    const saved = await cutAccess(deps, (tx, publish) =>
      changeUser(tx, publish, { id: params.userId, ...body }),
    );
    return { user: toApiUser(saved) };
  });

type Publish = (...events: Envelope[]) => void;
type UserChange = { id: string } & Body<typeof routes.setUser>;

/** @throws AppError 404 if there is no such user; 409 if no admin would remain */
export const changeUser = async (
  tx: Transaction,
  publish: Publish,
  change: UserChange,
): Promise<User> => {
  // Serialize these changes: two admins who demote each other concurrently would leave no admin.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('admins'))`);
  const user = await lockUser(tx, change.id);
  if (!user) throw userNotFound();
  const before = { role: user.role, disabled: user.disabledAt !== null };
  const after = {
    role: change.role ?? before.role,
    disabled: change.disabled ?? before.disabled,
  };
  if (before.role === after.role && before.disabled === after.disabled) return user;
  if (leavesNoAdmin(before, after, await countOtherAdmins(tx, user.id))) throw lastAdmin();

  const changed = await saveUser(tx, {
    ...user,
    role: after.role,
    disabledAt: after.disabled ? (user.disabledAt ?? new Date()) : null,
  });
  const { id: userId } = changed;
  if (cutsAccess(before, after)) await cutEarlierTokens(tx, userId);
  await dropMailedTokens(tx, userId);
  if (before.role !== after.role) {
    publish(newEvent('RoleChanged', changed, { userId, role: after.role }));
    publish(newEvent('AccountUpdated', changed, toProfile(changed)));
    if (after.role === 'Admin') {
      // Sessions that began with less than an admin's login must not become an admin's, nor old links take the account.
      await dropFormerEmails(tx, userId);
      await endSessions(tx, { userId });
    }
  }
  if (before.disabled !== after.disabled) {
    publish(newEvent('AccountDisabled', changed, { userId, disabled: after.disabled }));
    // Publish no session events: `AccountDisabled` already revokes the tokens of these sessions.
    if (after.disabled) await endSessions(tx, { userId });
  }
  return changed;
};

const countOtherAdmins = async (tx: Transaction, userId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count(*) FROM users WHERE role = 'Admin' AND disabled_at IS NULL AND id <> $1`,
    [userId],
  );
  return rows[0]?.count ?? 0;
};
