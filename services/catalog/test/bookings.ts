import { randomUUID } from 'node:crypto';
import type { EventData, Tool } from '@lendtools/contracts';

/** A booking of a tool, as bookings tells of it. Returned and cancelled ones read what they need of it. */
export const bookingOf = (
  tool: Tool,
  changes: Partial<EventData<'BookingCreated'>> = {},
): EventData<'BookingCreated'> & EventData<'BookingCancelled'> => ({
  bookingId: randomUUID(),
  toolId: tool.id,
  toolName: tool.name,
  ownerId: tool.userId,
  renterId: randomUUID(),
  bookingCode: 'LT123456',
  coverImage: tool.cover_image,
  quantity: 1,
  rentalCircle: 'daily',
  period: 2,
  priceCents: 1250,
  paidCents: 2500,
  startsAt: '2027-05-01T14:00:00.000Z',
  endsAt: '2027-05-03T14:00:00.000Z',
  startDate: '2027-05-01',
  startTime: '7.00 AM',
  endDate: '2027-05-03',
  endTime: '7.00 AM',
  timeZone: 'America/Los_Angeles',
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
