import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import {
  accountDeletionEmail,
  calendarFeedCreatedEmail,
  dataExportEmail,
  emailChangedEmail,
  emailChangesEmail,
  emailReplacedEmail,
  emailRestoredEmail,
  newAddressEmail,
  newDeviceEmail,
  passwordChangedEmail,
  passwordResetEmail,
  secondFactorEmail,
  verificationEmail,
  welcomeEmail,
} from '../../email/templates/account-emails.ts';

const minutes = 60_000;

/** How long the accounts service accepts the emailed links. */
const linkLivesMs = {
  password: 30 * minutes,
  email: 24 * 60 * minutes,
  undo: 72 * 60 * minutes,
  verify: 7 * 24 * 60 * minutes,
};

export const sendAccountEmails = (deps: Deps): Consumer =>
  subscribe('notifications.send-account-emails', async (event) => {
    const { id: eventId } = event;
    const site = siteOf(deps);
    const expiry = (lifeMs: number): Date => new Date(Date.parse(event.occurredAt) + lifeMs);
    switch (event.type) {
      case 'AccountRegistered':
        if (event.data.welcomeFollows) return;
        return queueEmail(
          deps,
          { eventId, template: 'welcome', to: addressOf(event.data) },
          welcomeEmail(site, { firstName: event.data.firstName }),
        );
      case 'EmailVerificationRequested': {
        const { isWelcome } = event.data;
        const template = isWelcome ? 'welcome' : 'verify-email';
        const email = isWelcome ? welcomeEmail : verificationEmail;
        const giveUpAt = expiry(linkLivesMs.verify);
        return queueEmail(
          deps,
          { eventId, template, to: addressOf(event.data), giveUpAt },
          email(site, event.data),
        );
      }
      case 'PasswordResetRequested': {
        const giveUpAt = expiry(linkLivesMs.password);
        return queueEmail(
          deps,
          { eventId, template: 'password-reset', to: addressOf(event.data), giveUpAt },
          passwordResetEmail(site, event.data),
        );
      }
      case 'PasswordChanged':
        return queueEmail(
          deps,
          { eventId, template: 'password-changed', to: addressOf(event.data) },
          passwordChangedEmail(site, event.data),
        );
      case 'AccountDeletionChanged':
        return queueEmail(
          deps,
          { eventId, template: 'account-deletion', to: addressOf(event.data) },
          accountDeletionEmail(site, event.data),
        );
      case 'DataExportReady':
        return queueEmail(
          deps,
          {
            eventId,
            template: 'data-export',
            to: addressOf(event.data),
            giveUpAt: new Date(event.data.expiresAt),
          },
          dataExportEmail(site, event.data),
        );
      case 'NewDeviceLoggedIn':
        return queueEmail(
          deps,
          { eventId, template: 'new-device', to: addressOf(event.data) },
          newDeviceEmail(site, { ...event.data, at: event.occurredAt }),
        );
      case 'SecondFactorChanged':
        return queueEmail(
          deps,
          { eventId, template: 'second-factor-changed', to: addressOf(event.data) },
          secondFactorEmail(site, event.data),
        );
      case 'CalendarFeedCreated': {
        const person = await deps.people.get(event.data.userId);
        return queueEmail(
          deps,
          { eventId, template: 'calendar-feed-created', to: addressOf(person) },
          calendarFeedCreatedEmail(site, person),
        );
      }
      case 'EmailChanged': {
        const { userId, firstName, oldEmail } = event.data;
        const to = addressOf({ userId, firstName, email: oldEmail });
        const giveUpAt = expiry(linkLivesMs.undo);
        return queueEmail(
          deps,
          { eventId, template: 'email-changed', to, giveUpAt },
          emailChangedEmail(site, event.data),
        );
      }
      case 'EmailRestored': {
        const { userId, firstName, email, replacedEmail } = event.data;
        await queueEmail(
          deps,
          { eventId, template: 'email-restored', to: addressOf(event.data) },
          emailRestoredEmail(site, event.data),
        );
        const to = addressOf({ userId, firstName, email: replacedEmail });
        if (email === replacedEmail) return;
        return queueEmail(
          deps,
          { eventId, template: 'email-replaced', to },
          emailReplacedEmail(site, event.data),
        );
      }
      case 'EmailChangeRequested': {
        const { userId, firstName, oldEmail, newEmail } = event.data;
        const giveUpAt = expiry(linkLivesMs.email);
        await queueEmail(
          deps,
          {
            eventId,
            template: 'confirm-email',
            to: addressOf({ userId, firstName, email: newEmail }),
            giveUpAt,
          },
          newAddressEmail(site, event.data),
        );
        return queueEmail(
          deps,
          {
            eventId,
            template: 'email-changes',
            to: addressOf({ userId, firstName, email: oldEmail }),
          },
          emailChangesEmail(site, {
            firstName,
            newEmail: event.data.oldEmailVerified ? newEmail : undefined,
          }),
        );
      }
    }
  });
