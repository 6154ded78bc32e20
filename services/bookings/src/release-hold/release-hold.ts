import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { holdNotFound, holdPaid } from '../errors.ts';
import { lockHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** `DELETE …/holds/:holdId`: frees the dates at once. A payment that succeeds later is booked if they are still free, else refunded. */
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
