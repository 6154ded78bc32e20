import type { BoundRoute } from '@lendtools/service-kit';
import { stripeObject } from './admin/find-stripe-object/find-stripe-object.ts';
import { listFailedRefunds } from './admin/list-failed-refunds/list-failed-refunds.ts';
import { showMoney } from './admin/show-money/show-money.ts';
import { workOfPayments } from './admin/work-of-payments/work-of-payments.ts';
import { listCards } from './cards/list-cards/list-cards.ts';
import { removeCard } from './cards/remove-card/remove-card.ts';
import { confirmPayment } from './charges/confirm-payment/confirm-payment.ts';
import { createPaymentIntent } from './charges/create-payment-intent/create-payment-intent.ts';
import { getPaymentConfig } from './charges/get-payment-config/get-payment-config.ts';
import { listSucceededPayments } from './charges/list-succeeded-payments/list-succeeded-payments.ts';
import { listUserPayments } from './charges/list-user-payments/list-user-payments.ts';
import type { Deps } from './deps.ts';
import { listDisputes, listFraudWarnings } from './disputes/list-disputes/list-disputes.ts';
import { waiveInquiry } from './disputes/waive-inquiry/waive-inquiry.ts';
import { countOpenMoney } from './earnings/count-open-money/count-open-money.ts';
import { exportData } from './earnings/export-data/export-data.ts';
import { listDebts } from './earnings/list-debts/list-debts.ts';
import { listStuckTransfers } from './earnings/list-stuck-transfers/list-stuck-transfers.ts';
import { showAdminPayouts } from './earnings/show-admin-payouts/show-admin-payouts.ts';
import { showPayouts } from './earnings/show-payouts/show-payouts.ts';
import {
  downloadStatementCsv,
  downloadStatementPdf,
  showStatement,
} from './earnings/show-statement/show-statement.ts';
import { writeOffDebt } from './earnings/write-off-debt/write-off-debt.ts';
import { exportLedger } from './ledger/export-ledger/export-ledger.ts';
import { createPayoutLink } from './payout-accounts/create-payout-link/create-payout-link.ts';
import { getPayoutAccount } from './payout-accounts/get-payout-account/get-payout-account.ts';
import { holdPayouts } from './payout-accounts/hold-payouts/hold-payouts.ts';
import { receiveConnectWebhook } from './payout-accounts/receive-connect-webhook/receive-connect-webhook.ts';
import {
  downloadReceipt,
  showEmailedReceipt,
  showReceipt,
} from './receipts/show-receipt/show-receipt.ts';
import { receiveWebhook } from './stripe-events/receive-webhook/receive-webhook.ts';
import { retryTransfer } from './transfers/retry-transfer/retry-transfer.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  createPaymentIntent(deps),
  confirmPayment(deps),
  receiveWebhook(deps),
  receiveConnectWebhook(deps),
  getPaymentConfig(deps),
  listCards(deps),
  removeCard(deps),
  showReceipt(deps),
  downloadReceipt(deps),
  showEmailedReceipt(deps),
  workOfPayments(deps),
  listFailedRefunds(deps),
  stripeObject(deps),
  showMoney(deps),
  listDisputes(deps),
  listFraudWarnings(deps),
  getPayoutAccount(deps),
  createPayoutLink(deps),
  holdPayouts(deps),
  showPayouts(deps),
  showStatement(deps),
  downloadStatementCsv(deps),
  downloadStatementPdf(deps),
  showAdminPayouts(deps),
  listStuckTransfers(deps),
  retryTransfer(deps),
  listDebts(deps),
  countOpenMoney(deps),
  writeOffDebt(deps),
  waiveInquiry(deps),
  exportLedger(deps),
  listUserPayments(deps),
  listSucceededPayments(deps),
  exportData(deps),
];
