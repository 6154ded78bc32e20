import { routes } from '@lendtools/contracts';
import { handle, type Identity, inTransaction } from '@lendtools/service-kit';
import { readBooking } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import * as rules from '../domain/booking.ts';
import { lockRequest } from '../lock-request.ts';
import { advanceHold } from '../settle-purchase.ts';

/** `POST …/decline-request/:id`: frees the dates and releases the card. */
export const declineRequest = (deps: Deps) =>
  handle(routes.declineRequest, async ({ user, params, body }) => ({
    rental: await end(deps, user, { id: params.id, transition: 'decline', note: body.note ?? '' }),
  }));

/** `POST …/withdraw-request/:id`: the renter withdraws the request, with the effect of `decline-request`. */
export const withdrawRequest = (deps: Deps) =>
  handle(routes.withdrawRequest, async ({ user, params }) => ({
    rental: await end(deps, user, { id: params.id, transition: 'withdraw', note: '' }),
  }));

interface End {
  id: string;
  transition: 'decline' | 'withdraw';
  note: string;
}

const outcomes = { decline: 'declined', withdraw: 'withdrawn' } as const;

const end = async ({ pool }: Deps, user: Identity, { id, transition, note }: End) => {
  await inTransaction(pool, async (tx) => {
    const { request, hold, by } = await lockRequest(tx, id, user);
    if (request.status === outcomes[transition]) return;
    rules.endRequest(request, transition, by);
    await advanceHold(tx, hold, { type: 'RequestEnded', transition, by, note });
  });
  return readBooking(pool, id, user);
};
