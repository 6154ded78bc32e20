import { route, sinceQuery, succeededPaymentsReply } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { paymentsSince } from '../payment-repository.ts';

/** Bookings compares it with what it has heard. */
const succeededPayments = route({
  method: 'GET',
  path: '/internal/payments',
  service: 'payments',
  who: 'service',
  origin: 'ours',
  summary: 'Succeeded payments that may be booked or have changed at Stripe, by their last news',
  query: sinceQuery,
  status: 200,
  reply: succeededPaymentsReply,
});

export const listSucceededPayments = ({ pool }: Deps) =>
  handle(succeededPayments, ({ query }) =>
    listPage(pool, query, (range) => paymentsSince(pool, range)),
  );
