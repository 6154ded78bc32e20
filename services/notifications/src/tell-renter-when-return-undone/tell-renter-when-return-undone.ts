import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { returnUndone } from '../domain/notice-words.ts';

/** A notice takes back the notice of a minute ago. No e-mail: what it would say changes nothing for the renter. */
export const tellRenterWhenReturnUndone = (deps: Deps): Consumer =>
  subscribe('notifications.tell-renter-when-return-undone', async ({ id: eventId, data }) => {
    const { ownerId, renterId: userId, bookingId } = data;
    const message = returnUndone(data, (await deps.people.get(ownerId)).firstName);
    await deps.notices.add({ eventId, userId, bookingId, kind: 'booking-returned', message });
  });
