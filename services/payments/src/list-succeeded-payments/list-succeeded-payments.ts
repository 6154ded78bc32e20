import { route, sinceQuery, succeededPaymentsReply } from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { paymentsSince, succeededData } from '../payment-repository.ts';

/** Bookings compares it with what it has heard. */
const succeededPayments = route({
  method: 'GET',
  path: '/internal/payments',
  service: 'payments',
  who: 'service',
  origin: 'ours',
  summary: 'Succeeded payments nothing of which goes back, oldest first',
  query: sinceQuery,
  status: 200,
  reply: succeededPaymentsReply,
});

export const listSucceededPayments = ({ pool }: Deps) =>
  handle(succeededPayments, ({ query }) =>
    listPage(pool, query, async (range) =>
      (await paymentsSince(pool, range)).map(({ at, payment }) => {
        return { at, key: payment.id, item: succeededData(payment) };
      }),
    ),
  );
