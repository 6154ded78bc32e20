import { type EventData, userPaymentsReply } from '@lendtools/contracts';
import { currentContext, type Identity, unavailable } from '@lendtools/service-kit';
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
