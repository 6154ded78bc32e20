import type { Transaction } from './transaction.ts';

/** A charge that is refunded in full, or disputed, has no warning left to act on. */
export function endWarnings(tx: Transaction, chargeId: string): void {
  for (const warning of tx.all.warnings.values()) {
    if (warning.charge !== chargeId || !warning.actionable) continue;
    tx.emit('radar.early_fraud_warning.updated', tx.put({ ...warning, actionable: false }));
  }
}
