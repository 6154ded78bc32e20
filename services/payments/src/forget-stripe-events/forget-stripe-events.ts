import type { Deps } from '../deps.ts';

/** Stripe sends an event again for three days at most; a month leaves time to look into one. */
export const forgetStripeEvents = async ({ pool }: Deps): Promise<void> => {
  await pool.query(`DELETE FROM stripe_events WHERE handled_at < now() - interval '30 days'`);
};
