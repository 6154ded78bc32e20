import { isAdminRole, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findSecondFactors } from '../../store/second-factor-repository.ts';

export const showSecondFactors = ({ pool, requireAdminMfa }: Deps) =>
  handle(routes.secondFactors, async ({ params, user }) => {
    const { totpSince, recoveryCodesLeft } = await findSecondFactors(pool, params.userId);
    const isAdmin = isAdminRole(user.accountRole) || user.lacksSecondFactor;
    return {
      totpSince: totpSince?.toISOString() ?? null,
      recoveryCodesLeft,
      isRequired: requireAdminMfa && isAdmin,
    };
  });
