import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { returnUndone } from '../domain/notice-words.ts';
import { returnUndoneEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

/**
 * Corrects the earlier notice and email of the return: a renter who relied on them would bring the tool back late.
 */
export const tellRenterWhenReturnUndone = (deps: Deps): Consumer =>
  subscribe('notifications.tell-renter-when-return-undone', async ({ id: eventId, data }) => {
    const { ownerId, renterId: userId, bookingId } = data;
    const [owner, renter] = [await deps.people.get(ownerId), await deps.people.get(userId)];
    const message = returnUndone(data, owner.firstName);
    await deps.notices.add({ eventId, userId, bookingId, kind: 'booking-returned', message });
    await queueEmail(
      deps,
      { eventId, template: 'return-undone', to: addressOf(renter) },
      returnUndoneEmail(siteOf(deps), data, owner),
    );
  });
