export const intentTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
];

/** Changes that can happen at Stripe without us. Our own intents and refunds are polled in case a webhook gets lost. */
export const outsideTypes = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'transfer.created',
  'transfer.updated',
  'transfer.reversed',
];

/** About owners' accounts: for the Connect endpoint. */
export const accountTypes = ['account.updated', 'account.application.deauthorized'];

/** From owners' accounts to their banks: also for the Connect endpoint. */
export const payoutTypes = ['payout.paid', 'payout.failed'];
