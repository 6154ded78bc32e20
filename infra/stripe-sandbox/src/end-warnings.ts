import type { Transaction } from './transaction.ts';

/** Marks a charge's fraud warnings as not actionable; called once the charge is fully refunded or disputed. */
export function endWarnings(tx: Transaction, chargeId: string): void {
  for (const warning of tx.all.warnings.values()) {
    if (warning.charge !== chargeId || !warning.actionable) continue;
    tx.emit('radar.early_fraud_warning.updated', tx.put({ ...warning, actionable: false }));
  }
}
