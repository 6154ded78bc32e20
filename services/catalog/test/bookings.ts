import { randomUUID } from 'node:crypto';
import type { EventData, Tool } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';

/** The data of a booking's events. `BookingReturned` and `BookingCancelled` use a part of it. */
export const bookingOf = (
  tool: Tool,
  changes: Partial<EventData<'BookingCreated'>> = {},
): EventData<'BookingCreated'> & EventData<'BookingCancelled'> => ({
  ...bookingCreated({
    toolId: tool.id,
    toolName: tool.name,
    ownerId: tool.userId,
    coverImage: tool.cover_image,
  }),
  cancelledBy: 'owner',
  reason: 'It broke.',
  refunds: [],
  keptCents: 0,
  changes: 0,
  ...changes,
});

/** The data of a hold's events, `BookingHeld` and `BookingExpired`. */
export const holdOf = (
  tool: Tool,
  bookingId: string = randomUUID(),
): EventData<'BookingHeld'> & EventData<'BookingExpired'> => ({
  holdId: randomUUID(),
  userId: randomUUID(),
  amountCents: 2500,
  expiresAt: '2027-04-01T14:15:00.000Z',
  lines: [
    {
      bookingId,
      toolId: tool.id,
      quantity: 1,
      startsAt: '2027-04-02T12:00:00.000Z',
      endsAt: '2027-04-03T12:00:00.000Z',
      units: [1],
    },
  ],
});
