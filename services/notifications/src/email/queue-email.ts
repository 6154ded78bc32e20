import { isDeletedEmail } from '@lendtools/contracts';
import { currentTraceparent } from '@lendtools/service-kit';
import type { Config } from '../config.ts';
import { nameInEmail } from '../domain/formats.ts';
import { type EmailName, topicOfEmail } from '../domain/topics.ts';
import { unsubscribeUrl } from '../preferences/unsubscribe-link.ts';
import type { QueuedEmail } from '../store/email-repository.ts';
import type { EmailContent } from './email-content.ts';
import { layOut, type Unsubscribe } from './layout.ts';
import type { EmailSender } from './send-emails/send-emails.ts';
import { withoutUserText } from './without-user-text.ts';

/** `template` is a part of the email's id, because one event may cause several emails to several people. */
type EmailRequest = EmailName &
  Pick<QueuedEmail, 'dueAt' | 'giveUpAt' | 'unlessRead'> & { eventId: string; to: Recipient };

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
  request: EmailRequest,
  email: EmailContent,
): Promise<void> => {
  const { eventId, template, dueAt, giveUpAt, unlessRead } = request;
  const { isVerified, userId, ...to } = request.to;
  if (isDeletedEmail(to.address)) return;
  const neutral = isVerified ? undefined : withoutUserText(email);
  const unsubscribe = unsubscribeOf(deps, request, email);
  await deps.sender.queue({
    id: `${eventId}:${template}:${to.address.toLowerCase()}`,
    userId,
    to: neutral ? { ...to, name: '' } : to,
    dueAt,
    giveUpAt,
    unlessRead,
    traceparent: currentTraceparent(),
    ...(unsubscribe && { topic: unsubscribe.topic, unsubscribeUrl: unsubscribe.url }),
    ...layOut(neutral ?? email, siteOf(deps), unsubscribe),
  });
};

/** Undefined for an email that its user can't turn off; all with receipts are such. */
const unsubscribeOf = (
  deps: { config: Config },
  { to: { userId }, ...name }: EmailRequest,
  { receipts = [] }: EmailContent,
): Unsubscribe | undefined => {
  const topic = topicOfEmail(name);
  if (!topic || !userId || receipts.length > 0) return undefined;
  return { topic, url: unsubscribeUrl(siteOf(deps), deps.config, { userId, topic }) };
};
