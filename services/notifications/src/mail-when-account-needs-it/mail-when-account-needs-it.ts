import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { NotificationsDeps } from '../app.ts';
import {
  confirmEmailLetter,
  emailChangesLetter,
  passwordResetLetter,
  welcomeLetter,
} from '../email/account-letters.ts';
import { addressOf, queueLetter, siteOf } from '../email/queue-letter.ts';

/** A mailed link works for 30 minutes; after that its e-mail would only mislead. */
const linkLifeMs = 30 * 60_000;

/** Welcomes, and the links that only the holder of an e-mail address may have. */
export const mailWhenAccountNeedsIt = (deps: NotificationsDeps): Consumer =>
  subscribe('notifications.mail-when-account-needs-it', async (event) => {
    const { id: eventId } = event;
    const site = siteOf(deps);
    const giveUpAt = new Date(Date.parse(event.occurredAt) + linkLifeMs);
    switch (event.type) {
      case 'AccountRegistered':
        return queueLetter(
          deps,
          { eventId, template: 'welcome', to: addressOf(event.data) },
          welcomeLetter(site, event.data.firstName),
        );
      case 'PasswordResetRequested':
        return queueLetter(
          deps,
          { eventId, template: 'password-reset', to: addressOf(event.data), giveUpAt },
          passwordResetLetter(site, event.data),
        );
      case 'EmailChangeRequested': {
        const { firstName: name, oldEmail, newEmail } = event.data;
        const confirm = { eventId, template: 'confirm-email', giveUpAt };
        const warn = { eventId, template: 'email-changes' };
        await queueLetter(
          deps,
          { ...confirm, to: { name, address: newEmail } },
          confirmEmailLetter(site, event.data),
        );
        return queueLetter(
          deps,
          { ...warn, to: { name, address: oldEmail } },
          emailChangesLetter(site, event.data),
        );
      }
    }
  });
