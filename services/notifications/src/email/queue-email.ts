import { currentTraceparent } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { nameInEmail } from '../domain/words.ts';
import type { QueuedEmail } from '../email-repository.ts';
import type { EmailContent } from './email-content.ts';
import { layOut } from './layout.ts';
import { withoutUserText } from './without-user-text.ts';

interface EmailRequest extends Pick<QueuedEmail, 'dueAt' | 'giveUpAt' | 'unlessRead'> {
  eventId: string;
  /** The email's type: one event may cause several, to several people. */
  template: string;
  to: Recipient;
}

interface Recipient {
  name: string;
  address: string;
  isVerified: boolean;
}

/** The site's address without a trailing slash. */
export const siteOf = ({ config }: Pick<Deps, 'config'>): string =>
  config.PUBLIC_URL.replace(/\/+$/, '');

/** An email's recipient. The address counts as unverified unless the person's data says otherwise. */
export const addressOf = (person: {
  firstName: string;
  lastName?: string;
  email: string;
  emailVerified?: boolean;
}): Recipient => ({
  name: [person.firstName, person.lastName ?? ''].map(nameInEmail).filter(Boolean).join(' '),
  address: person.email,
  isVerified: person.emailVerified === true,
});

/**
 * Queues an email once per event, template and recipient. Anyone can sign up with someone else's address, so an
 * unverified one receives no text by users.
 */
export const queueEmail = async (
  deps: Pick<Deps, 'config' | 'sender'>,
  { eventId, template, to: { isVerified, ...to }, ...when }: EmailRequest,
  email: EmailContent,
): Promise<void> => {
  const id = `${eventId}:${template}:${to.address.toLowerCase()}`;
  const traceparent = currentTraceparent();
  const neutral = isVerified ? undefined : withoutUserText(email);
  const recipient = neutral ? { ...to, name: '' } : to;
  const content = layOut(neutral ?? email, siteOf(deps));
  await deps.sender.queue({ id, to: recipient, ...when, traceparent, ...content });
};
