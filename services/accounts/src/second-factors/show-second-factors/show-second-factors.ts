import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findSecondFactors } from '../../store/second-factor-repository.ts';

export const showSecondFactors = ({ pool }: Deps) =>
  handle(routes.secondFactors, async ({ params }) => {
    const { totpSince, recoveryCodesLeft } = await findSecondFactors(pool, params.userId);
    return { totpSince: totpSince?.toISOString() ?? null, recoveryCodesLeft };
  });
