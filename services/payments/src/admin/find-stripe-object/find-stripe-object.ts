import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { stripeObjectNotFound } from '../../domain/errors.ts';
import { findStripeObject } from '../../store/work-repository.ts';
import { readBookings } from '../read-bookings.ts';

export const stripeObject = (deps: Deps) =>
  handle(routes.stripeObject, async ({ user, params }) => {
    const found = await findStripeObject(deps.pool, params.stripeId);
    if (!found) throw stripeObjectNotFound();
    const { kind, paymentId, ownerId, bookingId } = found;
    const bookingsOf = await readBookings(deps, user, paymentId === null ? [] : [paymentId]);
    const bookings = paymentId === null ? [] : bookingsOf(paymentId);
    const own = bookings.filter(({ id }) => bookingId === null || id === bookingId);
    return { kind, paymentId, ownerId, bookings: own };
  });
