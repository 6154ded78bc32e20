import type { Consumer } from '@lendtools/event-bus';
import type { MessagingDeps } from './app.ts';
import { keepPeople } from './keep-people/keep-people.ts';
import { openThreadWhenBookingCreated } from './open-thread-when-booking-created/open-thread-when-booking-created.ts';

/** Everything that messaging hears. */
export const messagingConsumers = (deps: MessagingDeps): Consumer[] => [
  keepPeople(deps),
  openThreadWhenBookingCreated(deps),
];
