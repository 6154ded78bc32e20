import type { Consumer } from '@lendtools/event-bus';
import type { Deps } from './deps.ts';
import { keepPeople } from './keep-people/keep-people.ts';
import { openThreadWhenBookingCreated } from './open-thread-when-booking-created/open-thread-when-booking-created.ts';

/** Every event that messaging consumes. */
export const consumers = (deps: Deps): Consumer[] => [
  keepPeople(deps),
  openThreadWhenBookingCreated(deps),
];
