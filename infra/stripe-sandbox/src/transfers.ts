import { availableBalance, recordTransfer } from './balance-transactions.ts';
import { type Charge, type Metadata, newId, nowInSeconds, type Transfer } from './objects.ts';
import { asParams, asText, type Params } from './payment-methods.ts';
import { dollars } from './refunds.ts';
import { invalidRequest, requiredParam } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

export function createTransfer(tx: Transaction, params: Params): Transfer {
  const currency = asText(params.currency)?.toLowerCase();
  if (!currency) throw requiredParam('currency');
  const destination = checkDestination(tx, asText(params.destination));
  const source = findSource(tx, params, currency);
  const amount = checkAmount(params.amount);
  if (source) checkSourceAmount(tx, source, amount);
  else checkBalance(tx, currency, amount);
  const id = newId('tr');
  const transfer: Omit<Transfer, 'balance_transaction'> = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    created: nowInSeconds(),
    currency,
    description: asText(params.description),
    destination,
    destination_payment: newId('py'),
    livemode: false,
    metadata: asParams(params.metadata) as Metadata,
    reversals: {
      object: 'list',
      data: [],
      has_more: false,
      total_count: 0,
      url: `/v1/transfers/${id}/reversals`,
    },
    reversed: false,
    source_transaction: source?.id ?? null,
    source_type: 'card',
    transfer_group: asText(params.transfer_group) ?? (source ? groupOf(tx, source) : null),
  };
  const movement = recordTransfer(tx, transfer, availableOn(tx, source));
  const created = tx.put<Transfer>({ ...transfer, balance_transaction: movement.id });
  tx.emit('transfer.created', created);
  return created;
}

export function updateTransfer(tx: Transaction, id: string, params: Params): Transfer {
  const transfer = tx.transfer(id);
  const updated = tx.put<Transfer>({
    ...transfer,
    description: asText(params.description) ?? transfer.description,
    metadata: { ...transfer.metadata, ...(asParams(params.metadata) as Metadata) },
  });
  tx.emit('transfer.updated', updated);
  return updated;
}

export function checkAmount(value: unknown): number {
  if (value === undefined || value === '') throw requiredParam('amount');
  const amount = Number(value);
  if (Number.isInteger(amount) && amount >= 1) return amount;
  throw invalidRequest('This value must be greater than or equal to 1.', {
    code: 'parameter_invalid_integer',
    param: 'amount',
  });
}

function checkDestination(tx: Transaction, id: string | null): string {
  if (!id) throw requiredParam('destination');
  const account = tx.all.accounts.get(id);
  if (!account) {
    throw invalidRequest(`No such destination: '${id}'`, {
      code: 'resource_missing',
      param: 'destination',
    });
  }
  if (account.capabilities.transfers !== 'active') {
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    );
  }
  return id;
}

function findSource(tx: Transaction, params: Params, currency: string): Charge | null {
  const id = asText(params.source_transaction);
  if (!id) return null;
  const charge = tx.all.charges.get(id);
  if (!charge) {
    throw invalidRequest(`No such charge: '${id}'`, {
      code: 'resource_missing',
      param: 'source_transaction',
    });
  }
  if (!charge.captured) {
    throw invalidRequest('The charge of source_transaction has not been captured.', {
      param: 'source_transaction',
    });
  }
  if (charge.currency !== currency) {
    throw invalidRequest(
      `The currency of source_transaction's balance transaction (${charge.currency}) must be the same as the transfer currency (${currency})`,
      { param: 'currency' },
    );
  }
  return charge;
}

/** Transfers from a charge may not exceed what is left of it after refunds, whatever the balance. */
function checkSourceAmount(tx: Transaction, source: Charge, amount: number): void {
  const transferred = [...tx.all.transfers.values()]
    .filter((one) => one.source_transaction === source.id)
    .reduce((total, one) => total + one.amount - one.amount_reversed, 0);
  const sourceAmount = source.amount_captured - source.amount_refunded;
  if (transferred + amount <= sourceAmount) return;
  const already =
    transferred > 0
      ? ` (There is already a transfer using this source, amounting to ${dollars(transferred)}.)`
      : '';
  throw invalidRequest(
    `Transfers using this transaction as a source must not exceed the source amount of ${dollars(sourceAmount)}.${already}`,
  );
}

function checkBalance(tx: Transaction, currency: string, amount: number): void {
  if (amount <= availableBalance(tx.all, currency)) return;
  throw invalidRequest(
    'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance',
    { code: 'balance_insufficient' },
  );
}

/** Stripe names the group of a charge that has none after its payment intent, and gives it to both. */
function groupOf(tx: Transaction, source: Charge): string {
  const group = source.transfer_group ?? `group_${source.payment_intent}`;
  if (group !== source.transfer_group) tx.put({ ...source, transfer_group: group });
  return group;
}

function availableOn(tx: Transaction, source: Charge | null): number {
  return source?.balance_transaction
    ? tx.balanceTransaction(source.balance_transaction).available_on
    : nowInSeconds();
}
