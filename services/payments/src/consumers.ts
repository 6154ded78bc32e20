import type { Consumer } from '@lendtools/event-bus';
import { cancelIntentWhenHoldExpired } from './cancel-intent-when-hold-expired/cancel-intent-when-hold-expired.ts';
import { captureWhenBookingAccepted } from './capture-when-booking-accepted/capture-when-booking-accepted.ts';
import type { Deps } from './deps.ts';
import { refundWhenAdminGranted } from './refund-when-admin-granted/refund-when-admin-granted.ts';
import { refundWhenBookingCancelled } from './refund-when-booking-cancelled/refund-when-booking-cancelled.ts';
import { refundWhenBookingChanged } from './refund-when-booking-changed/refund-when-booking-changed.ts';
import { refundWhenBookingRejected } from './refund-when-booking-rejected/refund-when-booking-rejected.ts';

export const consumers = (deps: Deps): Consumer[] => [
  refundWhenBookingRejected(deps),
  refundWhenBookingCancelled(deps),
  refundWhenBookingChanged(deps),
  refundWhenAdminGranted(deps),
  cancelIntentWhenHoldExpired(deps),
  captureWhenBookingAccepted(deps),
];
