import type { Consumer } from '@lendtools/event-bus';
import type { Deps } from './deps.ts';
import { hideToolsWhenOwnerDisabled } from './hide-tools-when-owner-disabled/hide-tools-when-owner-disabled.ts';
import { moveBookingWhenChanged } from './move-booking-when-changed/move-booking-when-changed.ts';
import { rateToolWhenReviewAdded } from './rate-tool-when-review-added/rate-tool-when-review-added.ts';
import { reopenBookingWhenReturnUndone } from './reopen-booking-when-return-undone/reopen-booking-when-return-undone.ts';
import { syncHolds } from './sync-holds/sync-holds.ts';
import { syncOwners } from './sync-owners/sync-owners.ts';
import { syncTakenDates } from './sync-taken-dates/sync-taken-dates.ts';
import { updateStatusWhenBookingChanged } from './update-status-when-booking-changed/update-status-when-booking-changed.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncOwners(deps),
  hideToolsWhenOwnerDisabled(deps),
  updateStatusWhenBookingChanged(deps),
  moveBookingWhenChanged(deps),
  reopenBookingWhenReturnUndone(deps),
  syncHolds(deps),
  syncTakenDates(deps),
  rateToolWhenReviewAdded(deps),
];
