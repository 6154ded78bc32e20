import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { returnUndone } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { returnUndoneEmail } from '../../email/templates/booking-emails.ts';

/** Corrects the earlier notice and email about the return: a renter who relied on them would bring the tool back late. */
export const notifyRenterWhenReturnUndone = (deps: Deps): Consumer =>
  subscribe('notifications.notify-renter-when-return-undone', async ({ id: eventId, data }) => {
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
