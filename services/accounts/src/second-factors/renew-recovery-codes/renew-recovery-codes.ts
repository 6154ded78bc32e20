import { routes } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { secondFactorNotFound } from '../../domain/errors.ts';
import { hasSecondFactor, replaceRecoveryCodes } from '../../store/second-factor-repository.ts';
import { secondFactorChanged } from '../check-second-factor.ts';
import { lockCaller } from '../lock-caller.ts';

export const renewRecoveryCodes = ({ pool }: Deps) =>
  handle(routes.renewRecoveryCodes, async ({ user: caller, response }) => {
    const recoveryCodes = await inTransaction(pool, async (tx) => {
      const user = await lockCaller(tx, caller);
      if (!(await hasSecondFactor(tx, user.id)))
        throw secondFactorNotFound('You have not set up two-step login.');
      const codes = await replaceRecoveryCodes(tx, user.id);
      await addToOutbox(
        tx,
        await secondFactorChanged(tx, user, { change: 'recovery-codes-renewed' }),
      );
      return codes;
    });
    response.set('Cache-Control', 'no-store');
    return { message: 'Your earlier recovery codes no longer work.', recoveryCodes };
  });
