import type { Deps } from '../../deps.ts';
import { takeDecidedRefunds } from '../take-decided-refunds.ts';

export const refundWhenAdminGranted = (deps: Deps) =>
  takeDecidedRefunds(deps, 'payments.refund-when-admin-granted');
