import type { OpenMatters } from '@lendtools/contracts';
import type { User } from './user.ts';

/** How long users can keep an account whose deletion they requested. */
const deletionDays = 14;
/** A deletion waits this much longer if a booking, payment, problem or report is open when it is due. */
const postponementDays = 7;

const dayMs = 86_400_000;
export const deletionDueAt = (now: Date): Date => new Date(now.getTime() + deletionDays * dayMs);
export const postponedTo = (now: Date): Date => new Date(now.getTime() + postponementDays * dayMs);

type Standing = Pick<User, 'disabledAt' | 'deletionDueAt'>;

/** Whether the user closed the account, and can keep it until it is deleted. */
export const isClosed = <U extends Standing>(
  user: U,
): user is U & { disabledAt: Date; deletionDueAt: Date } =>
  user.disabledAt !== null && user.deletionDueAt !== null;

/** Whether an admin disabled the account, or it is deleted. */
export const isDisabled = (user: Standing): boolean =>
  user.disabledAt !== null && user.deletionDueAt === null;

export const reopened = { disabledAt: null, deletionDueAt: null } as const;

/** The row of a deleted user, without personal data. */
export const erased = (
  user: User,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): User => ({
  id: user.id,
  version: user.version,
  role: 'User',
  userName: 'deleted',
  firstName: 'Deleted',
  lastName: 'user',
  email,
  phone: '',
  passwordHash,
  country: '',
  state: '',
  city: '',
  address: '',
  image: 'null',
  lat: 0,
  lng: 0,
  timeZone: 'UTC',
  zip: '',
  placeAccuracy: 'city',
  disabledAt: user.disabledAt ?? now,
  deletionDueAt: null,
  deletedAt: now,
  emailVerifiedAt: null,
  createdAt: user.createdAt,
});

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

const sentences: Record<keyof OpenMatters, (count: number) => string> = {
  rentals: (count) =>
    `${counted(count, 'rental of yours is', 'rentals of yours are')} not completed.`,
  lendings: (count) =>
    `${counted(count, 'rental of your tools is', 'rentals of your tools are')} not completed.`,
  problems: (count) =>
    `${counted(count, 'reported problem is', 'reported problems are')} not settled.`,
  purchases: (count) =>
    `${counted(count, 'payment of yours is', 'payments of yours are')} in progress.`,
  refunds: (count) => `${counted(count, 'refund to you is', 'refunds to you are')} on the way.`,
  disputes: (count) =>
    `${counted(count, 'disputed payment is', 'disputed payments are')} not decided.`,
  earnings: (count) =>
    `What you earned with ${counted(count, 'booking', 'bookings')} has not been sent to you.`,
  debts: (count) => `You owe money for ${counted(count, 'booking', 'bookings')}.`,
};

/** Why an account cannot be deleted yet. */
export const describeMatters = (matters: OpenMatters): { path: string; msg: string }[] =>
  (Object.keys(sentences) as (keyof OpenMatters)[])
    .filter((kind) => matters[kind] > 0)
    .map((kind) => ({ path: kind, msg: sentences[kind](matters[kind]) }));
