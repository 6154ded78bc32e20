import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { problemForAdmin, problemForParty, problemSettled } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import {
  problemForAdminEmail,
  problemForPartyEmail,
  problemSettledEmail,
} from '../../email/templates/problem-emails.ts';
import { notifyAdmins } from '../../notices/notify-admins.ts';

type Reported = Event<'BookingProblemReported'>;
type Settled = Event<'BookingProblemSettled'>;

export const notifyPeopleWhenProblemChanged = (deps: Deps): Consumer =>
  subscribe('notifications.notify-people-when-problem-changed', async (event) => {
    if (event.type === 'BookingProblemSettled') return notifyOfSettlement(deps, event);
    const reporter = await reporterOf(deps, event.data);
    await notifyAdminsOfProblem(deps, event, reporter);
    if (reporter) await notifyOtherParty(deps, event, reporter);
  });

/** The first name of the party who reported the problem; undefined if the system reported it. */
const reporterOf = async (deps: Deps, { by, ownerId, renterId }: Reported['data']) => {
  if (by === 'system') return undefined;
  return (await deps.people.get(by === 'owner' ? ownerId : renterId)).firstName;
};

const notifyAdminsOfProblem = (
  deps: Deps,
  { id: eventId, data }: Reported,
  reporter = 'LendTools',
): Promise<void> =>
  notifyAdmins(deps, {
    permission: 'moderate',
    eventId,
    bookingId: data.bookingId,
    kind: 'problem-to-settle',
    message: problemForAdmin(data, reporter),
    template: 'problem-to-settle',
    email: problemForAdminEmail(siteOf(deps), data, reporter),
  });

const notifyOtherParty = async (
  deps: Deps,
  { id: eventId, data }: Reported,
  reporter: string,
): Promise<void> => {
  const as = data.by === 'owner' ? 'renter' : 'owner';
  const userId = as === 'owner' ? data.ownerId : data.renterId;
  const message = problemForParty(data, reporter);
  const { bookingId } = data;
  await deps.notices.add({ eventId, userId, bookingId, kind: 'booking-problem', as, message });
  await queueEmail(
    deps,
    { eventId, template: 'booking-problem', as, to: addressOf(await deps.people.get(userId)) },
    problemForPartyEmail(siteOf(deps), data, as, reporter),
  );
};

const notifyOfSettlement = async (deps: Deps, { id: eventId, data }: Settled): Promise<void> => {
  const { bookingId, ownerId, renterId } = data;
  const message = problemSettled(data);
  const about = { eventId, bookingId, kind: 'booking-problem', message } as const;
  await deps.notices.add(
    { ...about, as: 'owner', userId: ownerId },
    { ...about, as: 'renter', userId: renterId },
  );
  for (const as of ['owner', 'renter'] as const) {
    const person = await deps.people.get(as === 'owner' ? ownerId : renterId);
    await queueEmail(
      deps,
      { eventId, template: 'problem-settled', as, to: addressOf(person) },
      problemSettledEmail(siteOf(deps), data, as),
    );
  }
};
