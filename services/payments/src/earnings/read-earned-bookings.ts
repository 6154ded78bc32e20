import { internalRoutes, mostEarnedBookings } from '@lendtools/contracts';
import { call } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

/** A booking as bookings returns it, with dates parsed. */
export interface BookingFacts {
  bookingCode: string;
  toolName: string;
  renterName: string;
  startDate: string;
  endDate: string;
  terms: { percent: number; fixedCents: number } | null;
  waitsFor: 'rental' | 'problem' | 'release';
  releaseAt: Date | null;
}

/** A restored backup of bookings may lack a booking. */
const unknown: BookingFacts = {
  bookingCode: '',
  toolName: '',
  renterName: '',
  startDate: '',
  endDate: '',
  terms: null,
  waitsFor: 'release',
  releaseAt: null,
};

/** @throws AppError 503 while bookings is unavailable */
export const readEarnedBookings = async (
  { bookings: upstreams, config }: Pick<Deps, 'bookings' | 'config'>,
  ids: { bookings: Iterable<string>; owners?: Iterable<string> },
): Promise<{
  bookingOf: (id: string) => BookingFacts;
  ownerNameOf: (id: string) => string;
}> => {
  const bookings = [...new Set(ids.bookings)];
  const owners = [...new Set(ids.owners ?? [])];
  const facts = new Map<string, BookingFacts>();
  const names = new Map<string, string>();
  for (let from = 0; from < Math.max(bookings.length, owners.length); from += mostEarnedBookings) {
    const reply = await call(upstreams, internalRoutes.earnedBookings, {
      body: {
        bookings: bookings.slice(from, from + mostEarnedBookings),
        owners: from === 0 ? owners : [],
      },
      token: config.INTERNAL_SECRET[0],
      timeoutMs: 5_000,
    });
    for (const { id, releaseAt, ...booking } of reply.bookings)
      facts.set(id, { ...booking, releaseAt: releaseAt === null ? null : new Date(releaseAt) });
    for (const { id, name } of reply.owners) names.set(id, name);
  }
  return {
    bookingOf: (id) => facts.get(id) ?? unknown,
    ownerNameOf: (id) => names.get(id) ?? '',
  };
};
