import { type EarlyFraudWarning, newId, nowInSeconds } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { findCharge } from './refunds.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

/** Creates the report by which a card issuer warns of a probably fraudulent charge before it is disputed. */
export function issueWarning(tx: Transaction, params: Params): EarlyFraudWarning {
  const charge = findCharge(tx, params);
  if (charge.refunded || charge.disputed)
    throw invalidRequest(`Charge ${charge.id} is refunded or disputed already.`);
  const warning = tx.put<EarlyFraudWarning>({
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: nowInSeconds(),
    fraud_type: asText(params.fraud_type) ?? 'unauthorized_use_of_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  });
  tx.emit('radar.early_fraud_warning.created', warning);
  return warning;
}
