import { routes } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { databaseNow, handle, schedule } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { leavesNoAdmin } from '../../domain/admin-rules.ts';
import { deletionDueAt, isDisabled } from '../../domain/deletion.ts';
import { accountHasOpenMatters, lastAdmin } from '../../domain/errors.ts';
import { lockCaller } from '../../second-factors/lock-caller.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import { dropMailedTokens } from '../../store/mailed-token-repository.ts';
import { endSessions } from '../../store/session-repository.ts';
import {
  countOtherAdmins,
  cutEarlierTokens,
  lockAdmins,
  saveUser,
} from '../../store/user-repository.ts';
import { deletionChanged } from '../deletion-changed.ts';
import { findOpenMatters } from '../find-open-matters.ts';

/** Disables the account, so that nothing new begins, and schedules its deletion. */
export const requestDeletion = (deps: Deps) =>
  handle(routes.requestDeletion, async ({ user: caller, response }) => {
    const reasons = await findOpenMatters(deps, caller.userId);
    if (reasons.length > 0) throw accountHasOpenMatters(reasons);
    const dueAt = await cutAccess(deps, async (tx, publish) => {
      await lockAdmins(tx);
      const user = await lockCaller(tx, caller);
      const { role, id: userId } = user;
      const before = { role, disabled: isDisabled(user) };
      const after = { role, disabled: true };
      if (leavesNoAdmin(before, after, await countOtherAdmins(tx, userId))) throw lastAdmin();
      const now = await databaseNow(tx);
      const dueAt = deletionDueAt(now);
      const saved = await saveUser(tx, { ...user, disabledAt: now, deletionDueAt: dueAt });
      await cutEarlierTokens(tx, userId);
      await dropMailedTokens(tx, userId);
      await endSessions(tx, { userId });
      await schedule(tx, 'delete-account', userId, dueAt);
      publish(
        newEvent('AccountDisabled', saved, { userId, disabled: true }),
        deletionChanged(saved),
      );
      return dueAt;
    });
    deps.cookie.clear(response);
    deps.logger.info({ userId: caller.userId }, 'a user requested the deletion of the account');
    return {
      message: 'Your account is closed. You can keep it by logging in before it is deleted.',
      deletionDueAt: dueAt.toISOString(),
    };
  });
