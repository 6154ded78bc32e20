import { maskContacts, routes } from '@lendtools/contracts';
import { type Caller, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { endApproval } from '../../domain/approval.ts';
import { readBooking } from '../../store/booking-view.ts';
import { endLockedApproval, lockApprovalAsParty } from '../lock-approval.ts';

/** `POST …/approvals/:id/decline`: releases the card and frees the dates. A declined change leaves the booking as is. */
export const declineApproval = (deps: Deps) =>
  handle(routes.declineApproval, async ({ user, params: { id }, body: { note = '' } }) => ({
    rental: await end(deps, user, { id, transition: 'decline', note }),
  }));

/** `POST …/approvals/:id/withdraw`: lets the renter end a request, with the same effects as `decline`. */
export const withdrawApproval = (deps: Deps) =>
  handle(routes.withdrawApproval, async ({ user, params: { id } }) => ({
    rental: await end(deps, user, { id, transition: 'withdraw', note: '' }),
  }));

interface End {
  id: string;
  transition: 'decline' | 'withdraw';
  note: string;
}

const outcomes = { decline: 'declined', withdraw: 'withdrawn' } as const;

const end = async ({ pool, config }: Deps, user: Caller, { id, transition, note }: End) => {
  const bookingId = await inTransaction(pool, async (tx) => {
    const { by, ...locked } = await lockApprovalAsParty(tx, id, user);
    if (locked.approval.status !== outcomes[transition]) {
      endApproval(locked.approval, { transition, by });
      // A request is not paid yet; a change belongs to a paid booking.
      const isMasked = config.MASK_CONTACTS && !locked.change;
      const shown = isMasked ? maskContacts(note) : note;
      await endLockedApproval(tx, locked, { transition, by, note: shown });
    }
    return locked.booking.id;
  });
  return readBooking(pool, bookingId, user);
};
