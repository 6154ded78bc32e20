import { describe, expect, it } from '@jest/globals';
import { notice, topics } from '@lendtools/contracts';
import {
  type EmailName,
  topicOfEmail,
  topicOfNotice,
  topicsOfEmails,
  topicsOfNotices,
} from './topics.ts';

const alwaysShown = Object.entries(topicsOfNotices).flatMap(([kind, topic]) =>
  topic ? [] : [kind],
);
const alwaysSent = Object.entries(topicsOfEmails).flatMap(([name, topic]) => (topic ? [] : [name]));

describe('the topics of emails', () => {
  it('let users turn off no email about security, money, cancellations, decisions or an admin’s work', () => {
    expect(alwaysSent.sort()).toEqual([
      'account-deletion',
      'booking-cancelled',
      'booking-confirmed',
      'booking-refunded',
      'calendar-feed-created',
      'confirm-email',
      'credit-note',
      'data-export',
      'debt',
      'dispute-answer-due',
      'email-changed',
      'email-changes',
      'email-replaced',
      'email-restored',
      'fraud-suspected',
      'new-device',
      'password-changed',
      'password-reset',
      'payment-changed',
      'payouts',
      'problem-to-settle',
      'refund-granted',
      'refunded-at-stripe',
      'report-author',
      'report-received',
      'report-reporter',
      'second-factor-changed',
      'verify-email',
      'welcome',
    ]);
  });

  it('put every other email under a topic that users know', () => {
    const optional = Object.keys(topicsOfEmails).filter((name) => !alwaysSent.includes(name));

    for (const template of optional)
      for (const as of ['owner', 'renter', undefined] as const) {
        const byParty = typeof topicsOfEmails[template as keyof typeof topicsOfEmails] === 'object';
        if (byParty === Boolean(as))
          expect(topics).toContain(topicOfEmail({ template, as } as EmailName));
      }
  });

  it('follow the side that gets the email or notice', () => {
    const sides = (['owner', 'renter'] as const).map((as) => [
      topicOfEmail({ template: 'booking-changed', as }),
      topicOfNotice({ kind: 'booking-changed', as }),
    ]);

    expect(sides).toEqual([
      ['lending', 'lending'],
      ['renting', 'renting'],
    ]);
  });
});

describe('the topics of notices', () => {
  it('let users turn off no notice about money, cancellations, messages, decisions or an admin’s work', () => {
    expect(alwaysShown.sort()).toEqual([
      'booking-cancelled',
      'booking-refunded',
      'debt',
      'dispute',
      'message',
      'moderation',
      'payment-changed',
      'payouts',
      'problem-to-settle',
      'question',
    ]);
  });

  it('cover every kind of notice', () => {
    expect(Object.keys(topicsOfNotices).sort()).toEqual([...notice.shape.kind.options].sort());
  });
});
