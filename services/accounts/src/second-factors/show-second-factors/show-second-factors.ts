import { isAdminRole, routes } from '@lendtools/contracts';
import { forbidden, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { userNotFound } from '../../domain/errors.ts';
import { listPasskeys } from '../../store/passkey-repository.ts';
import { findSecondFactors } from '../../store/second-factor-repository.ts';
import { findUser } from '../../store/user-repository.ts';
import { toApiPasskey } from '../passkeys/manage-passkeys/manage-passkeys.ts';

export const showSecondFactors = ({ pool, requireAdminMfa }: Deps) =>
  handle(routes.secondFactors, async ({ params, allow }) => {
    const answer = allow([params.userId], forbidden);
    const found = await findUser(pool, params.userId);
    if (!found) throw userNotFound();
    const [{ totpSince, recoveryCodesLeft }, passkeys] = await Promise.all([
      findSecondFactors(pool, found.id),
      listPasskeys(pool, found.id),
    ]);
    return answer({
      totpSince: totpSince?.toISOString() ?? null,
      passkeys: passkeys.map(toApiPasskey),
      recoveryCodesLeft,
      isRequired: requireAdminMfa && isAdminRole(found.role),
    });
  });
