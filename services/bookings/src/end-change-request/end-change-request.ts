import { routes } from '@lendtools/contracts';
import { handle, type Identity, inTransaction } from '@lendtools/service-kit';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { endRequest } from '../domain/booking.ts';
import { asRequest, endChangeRequest, lockChangeRequest } from '../lock-change-request.ts';

/** `POST …/decline-change/:id`: releases the card and keeps the booking as it is. */
export const declineChange = (deps: Deps) =>
  handle(routes.declineChange, async ({ user, params: { id }, body }) => {
    const { changeId, note = '' } = body;
    return { rental: await end(deps, user, { id, changeId, transition: 'decline', note }) };
  });

/** `POST …/withdraw-change/:id`: the renter withdraws the change, with the effect of `decline-change`. */
export const withdrawChange = (deps: Deps) =>
  handle(routes.withdrawChange, async ({ user, params: { id }, body: { changeId } }) => ({
    rental: await end(deps, user, { id, changeId, transition: 'withdraw', note: '' }),
  }));

interface End {
  id: string;
  changeId: string;
  transition: 'decline' | 'withdraw';
  note: string;
}

const outcomes = { decline: 'declined', withdraw: 'withdrawn' } as const;

const end = async ({ pool }: Deps, user: Identity, { transition, note, ...asked }: End) => {
  await inTransaction(pool, async (tx) => {
    const { by, ...request } = await lockChangeRequest(tx, asked, user);
    if (request.change.outcome === outcomes[transition]) return;
    endRequest(asRequest(request.change), transition, by);
    await endChangeRequest(tx, request, { transition, by, note });
  });
  return readBooking(pool, asked.id, user);
};
