import { Counter } from '@lendtools/service-kit';

/** Of this process: a sum over the replicas is the service's. */
export const missedPaymentCount = new Counter({
  name: 'missed_payments_recorded_total',
  help: 'Payments that no event had told of when payments was asked for them',
  registers: [],
});

export const bookingMetrics = [missedPaymentCount];
