import type { Deps } from '../../deps.ts';
import { takeDecidedRefunds } from '../take-decided-refunds.ts';

export const refundWhenBookingCancelled = (deps: Deps) =>
  takeDecidedRefunds(deps, 'payments.refund-when-booking-cancelled');
