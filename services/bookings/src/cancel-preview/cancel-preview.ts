import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { readCancelPreview } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { bookingNotFound } from '../errors.ts';

/** `GET …/cancel-preview`: what a cancellation by the caller would refund now, or the error that it would get. */
export const cancelPreview = ({ pool }: Deps) =>
  handle(routes.cancelPreview, async ({ params, user, allow }) => {
    const { parties, preview } = await readCancelPreview(pool, params.id, user);
    return allow(parties, bookingNotFound)({ preview });
  });
