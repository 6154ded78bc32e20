import {
  id,
  refundsOfPaymentReply,
  refundsOwedReply,
  route,
  sinceQuery,
} from '@lendtools/contracts';
import { handle, listPage } from '@lendtools/service-kit';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { refundsOfPayment, refundsSince } from '../refund-repository.ts';

/** Payments asks before it sends money: an event alone moves none. */
const ofPayment = route({
  method: 'GET',
  path: '/internal/payments/:paymentId/refunds',
  service: 'bookings',
  who: 'service',
  origin: 'ours',
  summary: 'What is to go back of a payment',
  params: z.object({ paymentId: id }),
  status: 200,
  reply: refundsOfPaymentReply,
});

/** Payments compares it with what it has heard. */
const all = route({
  method: 'GET',
  path: '/internal/refunds',
  service: 'bookings',
  who: 'service',
  origin: 'ours',
  summary: 'What is to go back, oldest first',
  query: sinceQuery,
  status: 200,
  reply: refundsOwedReply,
});

export const listRefundsOfPayment = ({ pool }: Deps) =>
  handle(ofPayment, async ({ params }) => ({
    refunds: await refundsOfPayment(pool, params.paymentId),
  }));

export const listRefundsOwed = ({ pool }: Deps) =>
  handle(all, ({ query }) => listPage(pool, query, (range) => refundsSince(pool, range)));
