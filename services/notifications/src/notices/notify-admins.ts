import type { Permission } from '@lendtools/contracts';
import type { Deps } from '../deps.ts';
import type { EmailOfOneSide, NoticeOfOneSide } from '../domain/topics.ts';
import type { EmailContent } from '../email/email-content.ts';
import { addressOf, queueEmail } from '../email/queue-email.ts';

export const notifyAdmins = async (
  deps: Deps,
  {
    permission,
    template,
    email,
    giveUpAt,
    ...notice
  }: {
    /** What the admins who are notified may do. */
    permission: Permission;
    eventId: string;
    bookingId: string | null;
    kind: NoticeOfOneSide;
    message: string;
    template: EmailOfOneSide;
    email: EmailContent;
    giveUpAt?: Date;
  },
): Promise<void> => {
  const { eventId, message } = notice;
  const adminIds = await deps.admins.listIds(permission);
  if (adminIds.length === 0) deps.logger.error({ message }, 'there is no admin to be notified');
  // Add all notices before the first email, which may have to wait.
  await deps.notices.add(...adminIds.map((userId) => ({ ...notice, userId })));
  for (const adminId of adminIds) {
    const to = addressOf(await deps.people.get(adminId));
    await queueEmail(deps, { eventId, template, to, ...(giveUpAt && { giveUpAt }) }, email);
  }
};
