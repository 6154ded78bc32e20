import type { Consumer } from '@lendtools/event-bus';
import type { Deps } from './deps.ts';
import { openThreadWhenBookingCreated } from './open-thread-when-booking-created/open-thread-when-booking-created.ts';
import { syncPeople } from './sync-people/sync-people.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncPeople(deps),
  openThreadWhenBookingCreated(deps),
];
