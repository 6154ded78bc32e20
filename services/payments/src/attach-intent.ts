import type { Pool } from '@lendtools/service-kit';
import { paymentCount } from './payment-metrics.ts';
import { readPayment, type StoredPayment, setIntent } from './payment-repository.ts';

/**
 * Gives the payment its intent unless it has one or has ended; returns the payment as it is afterwards. The first
 * intent wins, so that a browser that asks twice can never be given two to pay.
 */
export const attachIntent = async (
  pool: Pool,
  id: string,
  intent: { id: string; client_secret: string | null },
): Promise<StoredPayment> => {
  if (await setIntent(pool, id, intent)) paymentCount.inc({ status: 'pending' });
  return readPayment(pool, id);
};
