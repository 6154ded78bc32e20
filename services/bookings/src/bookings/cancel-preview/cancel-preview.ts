import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { bookingNotFound } from '../../domain/errors.ts';
import { readCancelPreview } from '../../store/booking-view.ts';

/** `GET …/cancel-preview`: what a cancellation by the caller would refund now, or the error that it would cause. */
export const cancelPreview = ({ pool }: Deps) =>
  handle(routes.cancelPreview, async ({ params, user, allow }) => {
    const { parties, preview } = await readCancelPreview(pool, params.id, user);
    return allow(parties, bookingNotFound)({ preview });
  });
