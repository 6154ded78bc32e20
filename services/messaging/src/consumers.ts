import type { Consumer } from '@lendtools/event-bus';
import { closeThreadWhenBookingOver } from './close-thread-when-booking-over/close-thread-when-booking-over.ts';
import type { Deps } from './deps.ts';
import { endThreadWhenApprovalEnded } from './end-thread-when-approval-ended/end-thread-when-approval-ended.ts';
import { hideMessageWhenModerated } from './hide-message-when-moderated/hide-message-when-moderated.ts';
import { openThreadWhenApprovalRequested } from './open-thread-when-approval-requested/open-thread-when-approval-requested.ts';
import { openThreadWhenBookingCreated } from './open-thread-when-booking-created/open-thread-when-booking-created.ts';
import { syncBlocks } from './sync-blocks/sync-blocks.ts';
import { syncPeople } from './sync-people/sync-people.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncPeople(deps),
  syncBlocks(deps),
  openThreadWhenApprovalRequested(deps),
  openThreadWhenBookingCreated(deps),
  endThreadWhenApprovalEnded(deps),
  closeThreadWhenBookingOver(deps),
  hideMessageWhenModerated(deps),
];
