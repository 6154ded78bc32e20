import { routes } from '@lendtools/contracts';
import { handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { webhookLag } from '../../store/payment-metrics.ts';
import { findAccountByStripeId } from '../../store/payout-account-repository.ts';
import { isHandled, recordEvent } from '../../store/stripe-event-repository.ts';
import { rethrowOutage, undefinedIfGone } from '../../stripe/stripe-api.ts';
import { accountTypes, payoutTypes } from '../../stripe/stripe-event-types.ts';
import { eventSchema } from '../../stripe-events/apply-stripe-event.ts';
import { readSignedEvent } from '../../stripe-events/read-signed-event.ts';
import { isDenied, type Reading, readAccount, settleAccount } from '../settle-account.ts';
import { settlePayout } from '../settle-payout.ts';

const { id: stripeId } = eventSchema.shape;
const connectEventSchema = eventSchema.omit({ data: true }).extend({
  account: stripeId.optional(),
  data: z
    .object({ object: z.object({ id: stripeId }) })
    .optional()
    .catch(undefined),
});
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

type Effect = (tx: Transaction) => Promise<unknown>;

/**
 * Reads the event's account or payout from Stripe, because events arrive late, twice and out of order.
 * @returns false if there was nothing to do
 */
const applyConnectEvent = async (deps: Deps, event: ConnectEvent): Promise<boolean> => {
  const { pool, logger } = deps;
  const { account: accountId, type } = event;
  const readEffect = readers.find(({ types }) => types.includes(type))?.readEffect;
  if (!accountId || !readEffect) return false;
  if (await isHandled(pool, event.id)) return false;
  const effect = await readEffect(deps, accountId, event).catch((error) =>
    rethrowOutage(error, logger),
  );
  await inTransaction(pool, async (tx) => {
    if (await recordEvent(tx, event)) await effect?.(tx);
  });
  return true;
};

const readAccountEffect = async (deps: Deps, accountId: string): Promise<Effect | undefined> => {
  const reading = await readAccount(deps, accountId);
  const ownerId = await findOwner(deps, reading);
  return ownerId ? (tx) => settleAccount(tx, ownerId, reading) : undefined;
};

const readPayoutEffect = async (
  deps: Deps,
  accountId: string,
  { data }: ConnectEvent,
): Promise<Effect | undefined> => {
  const owner = await findAccountByStripeId(deps.pool, accountId);
  if (!owner || !data) return undefined;
  const payout = await deps.stripe.payouts
    .retrieve(data.object.id, {}, { stripeAccount: accountId })
    .catch((error: unknown) => (isDenied(error) ? undefined : undefinedIfGone(error)));
  return payout && ((tx) => settlePayout(tx, owner.ownerId, payout));
};

const readers: {
  types: readonly string[];
  readEffect(deps: Deps, accountId: string, event: ConnectEvent): Promise<Effect | undefined>;
}[] = [
  { types: accountTypes, readEffect: readAccountEffect },
  { types: payoutTypes, readEffect: readPayoutEffect },
];

/** If the id is not stored (lost reply, restored backup), the account's metadata names the owner. */
const findOwner = async (
  { pool }: Deps,
  { accountId, account }: Reading,
): Promise<string | undefined> => {
  const stored = await findAccountByStripeId(pool, accountId);
  return stored?.ownerId ?? z.uuid().safeParse(account?.metadata?.ownerId).data;
};
