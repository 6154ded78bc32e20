import { Counter } from '@lendtools/service-kit';

/** Of this process: a sum over the replicas is the service's. */
export const missedPaymentCount = new Counter({
  name: 'missed_payments_recorded_total',
  help: 'Payments, or what became of them at Stripe, that no event had told of when payments was asked',
  registers: [],
});

export const bookingMetrics = [missedPaymentCount];
