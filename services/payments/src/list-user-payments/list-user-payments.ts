import { id, route, userPaymentsReply } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { listSucceededPayments, succeededData } from '../payment-repository.ts';

/** Bookings asks this with the person's own token; the gateway does not let it through. */
const userPayments = route({
  method: 'GET',
  path: '/internal/users/:userId/payments',
  service: 'payments',
  who: 'self',
  origin: 'ours',
  summary: "A user's succeeded payments, newest first",
  params: z.object({ userId: id }),
  status: 200,
  reply: userPaymentsReply,
});

export const listUserPayments = ({ pool }: Deps) =>
  handle(userPayments, async ({ params }) => ({
    payments: (await listSucceededPayments(pool, params.userId)).map(succeededData),
  }));
