import { isDeletedEmail } from '@lendtools/contracts';
import { currentTraceparent } from '@lendtools/service-kit';
import type { Config } from '../config.ts';
import { nameInEmail } from '../domain/formats.ts';
import type { QueuedEmail } from '../store/email-repository.ts';
import type { EmailContent } from './email-content.ts';
import { layOut } from './layout.ts';
import type { EmailSender } from './send-emails/send-emails.ts';
import { withoutUserText } from './without-user-text.ts';

interface EmailRequest extends Pick<QueuedEmail, 'dueAt' | 'giveUpAt' | 'unlessRead'> {
  eventId: string;
  /** A part of the email's id, because one event may cause several emails to several people. */
  template: string;
  to: Recipient;
}

interface Recipient {
  userId: string | null;
  name: string;
  address: string;
  isVerified: boolean;
}

export const siteOf = ({ config }: { config: Pick<Config, 'PUBLIC_URL'> }): string =>
  config.PUBLIC_URL.replace(/\/+$/, '');

/** `userId` is null for an address without an account. */
export const addressOf = (
  person: ({ userId: string | null } | { _id: string }) & {
    firstName: string;
    lastName?: string;
    email: string;
    emailVerified?: boolean;
  },
): Recipient => ({
  userId: 'userId' in person ? person.userId : person._id,
  name: [person.firstName, person.lastName ?? ''].map(nameInEmail).filter(Boolean).join(' '),
  address: person.email,
  isVerified: person.emailVerified === true,
});

/**
 * Queues an email, without text written by users if the address is unverified: anyone can sign up with someone else's address. A
 * deleted user gets none.
 */
export const queueEmail = async (
  deps: { config: Config; sender: EmailSender },
  { eventId, template, to: { isVerified, userId, ...to }, ...when }: EmailRequest,
  email: EmailContent,
): Promise<void> => {
  if (isDeletedEmail(to.address)) return;
  const id = `${eventId}:${template}:${to.address.toLowerCase()}`;
  const traceparent = currentTraceparent();
  const neutral = isVerified ? undefined : withoutUserText(email);
  const recipient = neutral ? { ...to, name: '' } : to;
  const content = layOut(neutral ?? email, siteOf(deps));
  await deps.sender.queue({ id, userId, to: recipient, ...when, traceparent, ...content });
};
