import { routes } from '@lendtools/contracts';
import { handle, inTransaction } from '@lendtools/service-kit';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { webhookLag } from '../../store/payment-metrics.ts';
import { findAccountByStripeId } from '../../store/payout-account-repository.ts';
import { isHandled, recordEvent } from '../../store/stripe-event-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { accountTypes } from '../../stripe/stripe-event-types.ts';
import { eventSchema } from '../../stripe-events/apply-stripe-event.ts';
import { readSignedEvent } from '../../stripe-events/read-signed-event.ts';
import { type Reading, readAccount, settleAccount } from '../settle-account.ts';

const connectEventSchema = eventSchema
  .omit({ data: true })
  .extend({ account: eventSchema.shape.id.optional() });
type ConnectEvent = z.infer<typeof connectEventSchema>;

/** Throws every failure, because Stripe retries until it gets a 2xx. */
export const receiveConnectWebhook = (deps: Deps) =>
  handle(routes.connectWebhook, async ({ request }) => {
    const secrets = deps.config.STRIPE_CONNECT_WEBHOOK_SECRET ?? [];
    const event = readSignedEvent(deps, request, { secrets, schema: connectEventSchema });
    if (await applyConnectEvent(deps, event))
      webhookLag.observe(Date.now() / 1_000 - event.created);
    return { received: true as const };
  });

/**
 * Reads the event's account from Stripe, because events arrive late, twice and out of order.
 * @returns false if there was nothing to do
 */
const applyConnectEvent = async (deps: Deps, event: ConnectEvent): Promise<boolean> => {
  const { pool, logger } = deps;
  if (!event.account || !accountTypes.includes(event.type)) return false;
  if (await isHandled(pool, event.id)) return false;
  const reading = await readAccount(deps, event.account).catch((error) =>
    rethrowOutage(error, logger),
  );
  const ownerId = await findOwner(deps, reading);
  await inTransaction(pool, async (tx) => {
    if ((await recordEvent(tx, event)) && ownerId) await settleAccount(tx, ownerId, reading);
  });
  return true;
};

/** If the id is not stored (lost reply, restored backup), the account's metadata names the owner. */
const findOwner = async (
  { pool }: Deps,
  { accountId, account }: Reading,
): Promise<string | undefined> => {
  const stored = await findAccountByStripeId(pool, accountId);
  return stored?.ownerId ?? z.uuid().safeParse(account?.metadata?.ownerId).data;
};
