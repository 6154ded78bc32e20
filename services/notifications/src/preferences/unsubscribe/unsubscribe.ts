import { isDeletedEmail, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { unsubscribeLinkInvalid } from '../../domain/errors.ts';
import { readUnsubscribeToken } from '../unsubscribe-link.ts';

/** Turns off the emails about a topic without a login. Ignores the body that mail programs send (RFC 8058). */
export const unsubscribe = ({ config, people, preferences }: Deps) =>
  handle(routes.unsubscribe, async ({ query }) => {
    const subscription = readUnsubscribeToken(config, query.token);
    if (!subscription) throw unsubscribeLinkInvalid();
    const { userId, topic } = subscription;
    const person = await people.find(userId);
    // Store nothing about a deleted user: nothing would delete it.
    if (person && !isDeletedEmail(person.email))
      await preferences.change(userId, { emails: { [topic]: false } });
    return { topic };
  });
