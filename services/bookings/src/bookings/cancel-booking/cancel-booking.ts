import { routes, toCents } from '@lendtools/contracts';
import { faultPoint, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { bookingNotFound } from '../../domain/errors.ts';
import { cancelNow } from '../../settle/cancel-now.ts';
import { lockAsParty } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';

/** `POST …/cancel-booking/:id`: frees the dates and refunds the card by the cancellation policy. */
export const cancelBooking = ({ pool }: Deps) =>
  handle(routes.cancelBooking, async ({ user, params, body }) => {
    await inTransaction(pool, async (tx) => {
      const { booking, by } = await lockAsParty(tx, params.id, user);
      if (booking.status === 'cancelled') return;
      await cancelNow(tx, booking, { by, reason: body.reason ?? '', shownCents: body.refundCents });
      await faultPoint('cancel.beforeCommit');
    });
    await faultPoint('cancel.beforeReply');
    const rental = await readBooking(pool, params.id, user);
    if (!rental.cancellation) throw bookingNotFound();
    const { refund } = rental.cancellation;
    return { message: messageOf(refund), rental, refundCents: toCents(refund) };
  });

const messageOf = (refund: number): string =>
  refund > 0
    ? `This booking is cancelled, and $${refund.toFixed(2)} goes back to the card.`
    : 'This booking is cancelled. Nothing goes back to the card.';
