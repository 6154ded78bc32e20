import type { Deps } from '../deps.ts';
import type { PayoutText } from '../domain/payout-texts.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';
import { payoutEmail } from '../email/templates/payout-emails.ts';

export const notifyOwnerOfPayouts = async (
  deps: Deps,
  {
    eventId,
    ownerId,
    kind,
  }: { eventId: string; ownerId: string; kind: 'payouts' | 'payout-reminder' },
  text: PayoutText,
): Promise<void> => {
  const { message } = text;
  await deps.notices.add({ eventId, userId: ownerId, bookingId: null, kind, message });
  await queueEmail(
    deps,
    { eventId, template: kind, to: addressOf(await deps.people.get(ownerId)) },
    payoutEmail(siteOf(deps), text),
  );
};
