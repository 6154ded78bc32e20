import { currentTraceparent } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { nameInEmail } from '../domain/words.ts';
import type { QueuedEmail } from '../email-repository.ts';
import type { EmailContent } from './email-content.ts';
import { layOut } from './layout.ts';

interface Posting extends Pick<QueuedEmail, 'dueAt' | 'giveUpAt' | 'unlessRead'> {
  eventId: string;
  /** The email's name: an event may send several, to several people. */
  template: string;
  to: { name: string; address: string };
}

/** The site's address without a trailing slash. */
export const siteOf = ({ config }: Pick<Deps, 'config'>): string =>
  config.PUBLIC_URL.replace(/\/+$/, '');

/** An email's recipient, from what is known of a person. */
export const addressOf = (person: { firstName: string; lastName?: string; email: string }) => ({
  name: [person.firstName, person.lastName ?? ''].map(nameInEmail).filter(Boolean).join(' '),
  address: person.email,
});

/** Has an email sent, once for each event, template and recipient. */
export const queueEmail = async (
  deps: Pick<Deps, 'config' | 'sender'>,
  { eventId, template, to, ...when }: Posting,
  email: EmailContent,
): Promise<void> => {
  const id = `${eventId}:${template}:${to.address.toLowerCase()}`;
  const traceparent = currentTraceparent();
  await deps.sender.queue({ id, to, ...when, traceparent, ...layOut(email, siteOf(deps)) });
};
