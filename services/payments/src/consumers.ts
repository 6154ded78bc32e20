import type { Consumer } from '@lendtools/event-bus';
import { removeCardsWhenAccountDeleted } from './cards/remove-cards-when-account-deleted/remove-cards-when-account-deleted.ts';
import { cancelIntentWhenHoldExpired } from './charges/cancel-intent-when-hold-expired/cancel-intent-when-hold-expired.ts';
import { captureWhenApprovalAccepted } from './charges/capture-when-approval-accepted/capture-when-approval-accepted.ts';
import type { Deps } from './deps.ts';
import { expectAccountWhenBookingCreated } from './payout-accounts/expect-account-when-booking-created/expect-account-when-booking-created.ts';
import { holdPayoutsWhenOwnerDisabled } from './payout-accounts/hold-payouts-when-owner-disabled/hold-payouts-when-owner-disabled.ts';
import { refundWhenAdminGranted } from './refunds/refund-when-admin-granted/refund-when-admin-granted.ts';
import { refundWhenBookingCancelled } from './refunds/refund-when-booking-cancelled/refund-when-booking-cancelled.ts';
import { refundWhenBookingChanged } from './refunds/refund-when-booking-changed/refund-when-booking-changed.ts';
import { refundWhenBookingRejected } from './refunds/refund-when-booking-rejected/refund-when-booking-rejected.ts';
import { releaseSharesWhenBookingOver } from './transfers/release-shares-when-booking-over/release-shares-when-booking-over.ts';

export const consumers = (deps: Deps): Consumer[] => [
  refundWhenBookingRejected(deps),
  refundWhenBookingCancelled(deps),
  refundWhenBookingChanged(deps),
  refundWhenAdminGranted(deps),
  cancelIntentWhenHoldExpired(deps),
  captureWhenApprovalAccepted(deps),
  expectAccountWhenBookingCreated(deps),
  holdPayoutsWhenOwnerDisabled(deps),
  releaseSharesWhenBookingOver(deps),
  removeCardsWhenAccountDeleted(deps),
];
