import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { holdNotFound, holdPaid } from '../../domain/errors.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { lockHold } from '../../store/hold-repository.ts';

/** `DELETE …/holds/:holdId`: frees the dates. A later payment is booked if the dates are free, and refunded if not. */
export const releaseHold = ({ pool }: Deps) =>
  handle(routes.releaseHold, ({ user, params }) =>
    inTransaction(pool, async (tx) => {
      const hold = await lockHold(tx, params.holdId);
      if (hold?.userId !== user.userId) throw holdNotFound();
      if (hold.status === 'paid' || hold.status === 'requested') throw holdPaid();
      await advanceHold(tx, hold, { type: 'GivenUp' });
      return { message: 'These dates are free again.' };
    }),
  );
