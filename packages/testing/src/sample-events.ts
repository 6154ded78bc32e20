import { randomUUIDv7 } from 'node:crypto';
import type { EventData } from '@lendtools/contracts';

export const accountRegistered = (
  overrides: Partial<EventData<'AccountRegistered'>> = {},
): EventData<'AccountRegistered'> => {
  const userId = overrides.userId ?? randomUUIDv7();
  return {
    userId,
    role: 'User',
    firstName: 'Rita',
    lastName: 'Renter',
    email: `${userId}@example.com`,
    image: 'null',
    country: 'United States',
    state: 'Texas',
    city: 'Austin',
    address: '12 Elm Street',
    lat: 30.27,
    lng: -97.74,
    placeAccuracy: 'city',
    timeZone: 'America/Chicago',
    emailVerified: false,
    ...overrides,
  };
};

/** A booking is extended by a day, for $24.00 more. */
export const bookingChanged = (
  overrides: Partial<EventData<'BookingChanged'>> = {},
): EventData<'BookingChanged'> => {
  const { quantity, startDate, startTime, endDate, endTime, totalCents, ...booking } =
    bookingCreated();
  return {
    ...booking,
    quantity,
    startDate,
    startTime,
    endTime,
    endDate: '2026-06-04',
    endsAt: '2026-06-04T12:00:00.000Z',
    period: 3,
    totalCents: 7_200,
    changeId: randomUUIDv7(),
    dueCents: 2_400,
    refunds: [],
    keptCents: 0,
    changes: 1,
    mostPercent: 100,
    before: { quantity, startDate, startTime, endDate, endTime, totalCents },
    ...overrides,
  };
};

export const bookingCreated = (
  overrides: Partial<EventData<'BookingCreated'>> = {},
): EventData<'BookingCreated'> => ({
  bookingId: randomUUIDv7(),
  toolId: randomUUIDv7(),
  toolName: 'Cordless drill',
  ownerId: randomUUIDv7(),
  renterId: randomUUIDv7(),
  bookingCode: 'LT123456',
  coverImage: 'null',
  quantity: 1,
  rentalCircle: 'daily',
  period: 2,
  priceCents: 2_400,
  totalCents: 4_800,
  startsAt: '2026-06-01T12:00:00.000Z',
  endsAt: '2026-06-03T12:00:00.000Z',
  startDate: '2026-06-01',
  startTime: '7.00 AM',
  endDate: '2026-06-03',
  endTime: '7.00 AM',
  timeZone: 'America/Chicago',
  cancellationPolicy: null,
  units: [1],
  ...overrides,
});

export const bookingCancelled = (
  overrides: Partial<EventData<'BookingCancelled'>> = {},
): EventData<'BookingCancelled'> => {
  const {
    bookingId,
    toolId,
    toolName,
    ownerId,
    renterId,
    bookingCode,
    quantity,
    startsAt,
    endsAt,
  } = bookingCreated();
  return {
    bookingId,
    toolId,
    toolName,
    ownerId,
    renterId,
    bookingCode,
    quantity,
    startsAt,
    endsAt,
    cancelledBy: 'renter',
    reason: '',
    refunds: [],
    keptCents: 0,
    changes: 0,
    ...overrides,
  };
};
