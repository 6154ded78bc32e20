import type { Consumer } from '@lendtools/event-bus';
import type { Deps } from './deps.ts';
import { hideToolsWhenOwnerDisabled } from './hide-tools-when-owner-disabled/hide-tools-when-owner-disabled.ts';
import { keepHolds } from './keep-holds/keep-holds.ts';
import { keepOwners } from './keep-owners/keep-owners.ts';
import { markUnavailableWhenBookingCreated } from './mark-unavailable-when-booking-created/mark-unavailable-when-booking-created.ts';
import { rateToolWhenReviewAdded } from './rate-tool-when-review-added/rate-tool-when-review-added.ts';
import { reopenBookingWhenReturnUndone } from './reopen-booking-when-return-undone/reopen-booking-when-return-undone.ts';

/** Every event that catalog consumes. */
export const consumers = (deps: Deps): Consumer[] => [
  keepOwners(deps),
  hideToolsWhenOwnerDisabled(deps),
  markUnavailableWhenBookingCreated(deps),
  reopenBookingWhenReturnUndone(deps),
  keepHolds(deps),
  rateToolWhenReviewAdded(deps),
];
