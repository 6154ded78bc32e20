import type { Notice, NoticeTopic, Topic } from '@lendtools/contracts';

export type Party = 'owner' | 'renter';

/** The topic depends on the recipient's role in the booking. */
const byParty = { owner: 'lending', renter: 'renting' } as const satisfies Record<Party, Topic>;

/**
 * The topic of each email, by its template. Null: users can't turn it off, because it is about their account or its security, a payment
 * that they made, a cancelled booking, a debt, where their money goes, a decision about a report, or an admin's work.
 */
export const topicsOfEmails = {
  welcome: null,
  'verify-email': null,
  'confirm-email': null,
  'email-changes': null,
  'email-changed': null,
  'email-restored': null,
  'email-replaced': null,
  'password-reset': null,
  'password-changed': null,
  'new-device': null,
  'second-factor-changed': null,
  'calendar-feed-created': null,
  'data-export': null,
  'account-deletion': null,
  'report-received': null,
  'report-reporter': null,
  'report-author': null,
  'booking-confirmed': null,
  'booking-cancelled': null,
  'booking-refunded': null,
  'refund-granted': null,
  'refunded-at-stripe': null,
  'credit-note': null,
  'payment-changed': null,
  'dispute-answer-due': null,
  'fraud-suspected': null,
  payouts: null,
  debt: null,
  'problem-to-settle': null,
  'tool-booked': 'lending',
  'answer-due': 'lending',
  'booking-returned': 'renting',
  'return-undone': 'renting',
  'booking-requested': byParty,
  'request-ended': byParty,
  'booking-changed': byParty,
  'booking-problem': byParty,
  'problem-settled': byParty,
  message: 'messages',
  question: 'messages',
  'reminder-pick-up': 'reminders',
  'reminder-return-day': 'reminders',
  'reminder-return-due': 'reminders',
  'reminder-tool-late': 'reminders',
  'review-due': 'reminders',
  earnings: 'payouts',
  'payout-reminder': 'payouts',
} as const satisfies Record<string, Topic | typeof byParty | null>;

/** The topic of each kind of notice. Null: users can't turn it off. */
export const topicsOfNotices = {
  'booking-cancelled': null,
  'booking-refunded': null,
  moderation: null,
  'payment-changed': null,
  dispute: null,
  payouts: null,
  debt: null,
  'problem-to-settle': null,
  message: null,
  question: null,
  'tool-booked': 'lending',
  'booking-confirmed': 'renting',
  'booking-returned': 'renting',
  'booking-requested': byParty,
  'request-ended': byParty,
  'booking-completed': byParty,
  'booking-changed': byParty,
  'booking-problem': byParty,
  reminder: 'reminders',
  review: 'reminders',
  earnings: 'payouts',
  'payout-reminder': 'payouts',
} as const satisfies Record<Notice['kind'], NoticeTopic | typeof byParty | null>;

type NamesByParty<T> = { [N in keyof T]: T[N] extends typeof byParty ? N : never }[keyof T];
type EmailsByParty = NamesByParty<typeof topicsOfEmails>;
type NoticesByParty = NamesByParty<typeof topicsOfNotices>;

/** The templates whose topic is the same for both parties. */
export type EmailOfOneSide = Exclude<keyof typeof topicsOfEmails, EmailsByParty>;
export type NoticeOfOneSide = Exclude<Notice['kind'], NoticesByParty>;

/** `as` is the party that gets it. */
export type EmailName =
  | { template: EmailOfOneSide; as?: undefined }
  | { template: EmailsByParty; as: Party };
export type NoticeName =
  | { kind: NoticeOfOneSide; as?: undefined }
  | { kind: NoticesByParty; as: Party };

export const topicOfEmail = (email: EmailName): Topic | null =>
  email.as ? topicsOfEmails[email.template][email.as] : topicsOfEmails[email.template];

export const topicOfNotice = (notice: NoticeName): NoticeTopic | null =>
  notice.as ? topicsOfNotices[notice.kind][notice.as] : topicsOfNotices[notice.kind];
