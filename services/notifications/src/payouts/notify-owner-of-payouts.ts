import type { Deps } from '../deps.ts';
import type { PayoutText } from '../domain/payout-texts.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';
import { payoutEmail } from '../email/templates/payout-emails.ts';

export const notifyOwnerOfPayouts = async (
  deps: Deps,
  { eventId, ownerId }: { eventId: string; ownerId: string },
  text: PayoutText,
): Promise<void> => {
  const { message } = text;
  await deps.notices.add({ eventId, userId: ownerId, bookingId: null, kind: 'payouts', message });
  await queueEmail(
    deps,
    { eventId, template: 'payouts', to: addressOf(await deps.people.get(ownerId)) },
    payoutEmail(siteOf(deps), text),
  );
};
