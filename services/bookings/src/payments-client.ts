import {
  type EventData,
  type ListedPayment,
  succeededPaymentsReply,
  userPaymentsReply,
} from '@lendtools/contracts';
import { currentContext, type Identity, type ListPage, unavailable } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';

/**
 * A person's succeeded payments, asked of payments with the person's own token.
 * @throws AppError 503 when payments can't say: "please pay" would be a lie that costs money
 */
export const askPayments = async (
  { payments, logger }: Deps,
  user: Identity,
): Promise<EventData<'PaymentSucceeded'>[]> => {
  try {
    const reply = await payments.fetch(`/internal/users/${user.userId}/payments`, {
      headers: {
        authorization: `Bearer ${user.token}`,
        'x-request-id': currentContext()?.correlationId ?? '',
      },
      signal: AbortSignal.timeout(5_000),
    });
    if (!reply.ok) throw new Error(`payments answered ${reply.status}`);
    return userPaymentsReply.parse(await reply.json()).payments;
  } catch (error) {
    logger.warn({ err: error }, 'payments could not be asked');
    throw unavailable('We could not look up your payment right now. Please try again in a moment.');
  }
};

/**
 * A page of all succeeded payments that may be booked or have changed at Stripe, asked in nobody's name.
 * @throws AppError 503 when payments can't say
 */
export const listSucceededPayments = async (
  { payments, config }: Deps,
  page: { since: string; cursor: string | null },
): Promise<ListPage<ListedPayment>> => {
  const query = new URLSearchParams({
    since: page.since,
    ...(page.cursor && { cursor: page.cursor }),
  });
  const reply = await payments
    .fetch(`/internal/payments?${query}`, {
      headers: { authorization: `Bearer ${config.INTERNAL_SECRET}` },
      signal: AbortSignal.timeout(5_000),
    })
    .catch((cause: unknown) => {
      throw Object.assign(unavailable('payments does not answer'), { cause });
    });
  if (!reply.ok) throw unavailable(`payments answered ${reply.status}`);
  return succeededPaymentsReply.parse(await reply.json());
};
