import type { Transaction } from './transaction.ts';

/** Ends the warnings of a charge that was refunded in full or disputed: no action can help any more. */
export function endWarnings(tx: Transaction, chargeId: string): void {
  for (const warning of tx.all.warnings.values()) {
    if (warning.charge !== chargeId || !warning.actionable) continue;
    tx.emit('radar.early_fraud_warning.updated', tx.put({ ...warning, actionable: false }));
  }
}
