import type { Consumer } from '@lendtools/event-bus';
import { moveBookingWhenChanged } from './bookings/move-booking-when-changed/move-booking-when-changed.ts';
import { reopenBookingWhenReturnUndone } from './bookings/reopen-booking-when-return-undone/reopen-booking-when-return-undone.ts';
import { syncHolds } from './bookings/sync-holds/sync-holds.ts';
import { syncTakenDates } from './bookings/sync-taken-dates/sync-taken-dates.ts';
import { updateStatusWhenBookingChanged } from './bookings/update-status-when-booking-changed/update-status-when-booking-changed.ts';
import type { Deps } from './deps.ts';
import { eraseOwnerWhenAccountDeleted } from './owners/erase-owner-when-account-deleted/erase-owner-when-account-deleted.ts';
import { hideToolsWhenOwnerDisabled } from './owners/hide-tools-when-owner-disabled/hide-tools-when-owner-disabled.ts';
import { syncBlocks } from './owners/sync-blocks/sync-blocks.ts';
import { syncOwners } from './owners/sync-owners/sync-owners.ts';
import { hideToolWhenModerated } from './tools/hide-tool-when-moderated/hide-tool-when-moderated.ts';
import { rateToolWhenReviewAdded } from './tools/rate-tool-when-review-added/rate-tool-when-review-added.ts';

export const consumers = (deps: Deps): Consumer[] => [
  syncOwners(deps),
  hideToolsWhenOwnerDisabled(deps),
  syncBlocks(deps),
  hideToolWhenModerated(deps),
  eraseOwnerWhenAccountDeleted(deps),
  updateStatusWhenBookingChanged(deps),
  moveBookingWhenChanged(deps),
  reopenBookingWhenReturnUndone(deps),
  syncHolds(deps),
  syncTakenDates(deps),
  rateToolWhenReviewAdded(deps),
];
