import { isAdminRole, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { factorOfAdmin, secondFactorNotFound, userNotFound } from '../../domain/errors.ts';
import { removeAllFactors } from '../../second-factors/remove-second-factor.ts';
import { cutAccess } from '../../sessions/cut-access.ts';
import { hasSecondFactor } from '../../store/second-factor-repository.ts';
import { lockUser } from '../../store/user-repository.ts';

/**
 * For a member who has lost every factor, after an admin has checked who asks. Ends all sessions, because the lost phone
 * may be logged in. Admins cannot remove the factors of other admins: one stolen session would weaken all of them.
 */
export const removeSecondFactors = (deps: Deps) =>
  handle(routes.removeSecondFactors, async ({ params, body, user: admin }) => {
    await cutAccess(deps, async (tx, publish) => {
      const user = await lockUser(tx, params.userId);
      if (!user || user.deletedAt) throw userNotFound();
      if (isAdminRole(user.role)) throw factorOfAdmin();
      if (!(await hasSecondFactor(tx, user.id)))
        throw secondFactorNotFound('This user has no second factor.');
      const why = { change: 'removed-by-admin', reason: body.reason } as const;
      publish(...(await removeAllFactors(tx, user, why)));
    });
    deps.logger.warn(
      { userId: params.userId, adminId: admin.userId },
      'an admin removed the second factors of a user',
    );
    return { message: 'The second factors are removed, and all devices are logged out.' };
  });
