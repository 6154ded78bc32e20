import { randomUUID } from 'node:crypto';
import type { EventData, Tool } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';

/** A booking of a tool, as bookings tells of it. Returned and cancelled ones read what they need of it. */
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
  ...changes,
});

/** A hold of some units, as bookings tells of it when it begins and when it ends. */
export const holdOf = (
  tool: Tool,
  bookingId: string = randomUUID(),
): EventData<'BookingHeld'> & EventData<'BookingExpired'> => ({
  holdId: randomUUID(),
  userId: randomUUID(),
  amountCents: 2500,
  expiresAt: '2027-04-01T14:15:00.000Z',
  lines: [{ bookingId, toolId: tool.id, quantity: 1 }],
});
