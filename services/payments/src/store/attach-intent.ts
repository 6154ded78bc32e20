import type { Pool } from '@lendtools/service-kit';
import { paymentCount } from './payment-metrics.ts';
import { readPayment, type StoredPayment, setIntent } from './payment-repository.ts';

/**
 * Sets the intent of a payment that has not ended. The first intent wins, so that concurrent requests never return two
 * payable intents.
 * @returns the payment as it is afterwards
 */
export const attachIntent = async (
  pool: Pool,
  id: string,
  intent: { id: string; client_secret: string | null },
): Promise<StoredPayment> => {
  if (await setIntent(pool, id, intent)) paymentCount.inc({ status: 'pending' });
  return readPayment(pool, id);
};
