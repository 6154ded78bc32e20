import { recordReversal, totalBalance } from './balance-transactions.ts';
import {
  type Metadata,
  newId,
  nowInSeconds,
  type Transfer,
  type TransferReversal,
} from './objects.ts';
import { asParams, type Params } from './payment-methods.ts';
import { dollars } from './refunds.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';
import { checkAmount } from './transfers.ts';

/** A transfer shows its ten newest reversals. */
const SHOWN_REVERSALS = 10;

export function reverseTransfer(tx: Transaction, id: string, params: Params): TransferReversal {
  const transfer = tx.transfer(id);
  const amount = checkReversalAmount(tx, transfer, params);
  const reversal: Omit<TransferReversal, 'balance_transaction'> = {
    id: newId('trr'),
    object: 'transfer_reversal',
    amount,
    created: nowInSeconds(),
    currency: transfer.currency,
    destination_payment_refund: newId('pyr'),
    metadata: asParams(params.metadata) as Metadata,
    source_refund: null,
    transfer: id,
  };
  const movement = recordReversal(tx, reversal, transfer);
  const created = tx.put<TransferReversal>({ ...reversal, balance_transaction: movement.id });
  const { reversals } = transfer;
  const total_count = reversals.total_count + 1;
  const amount_reversed = transfer.amount_reversed + amount;
  const reversed = tx.put<Transfer>({
    ...transfer,
    amount_reversed,
    reversals: {
      ...reversals,
      data: [created, ...reversals.data].slice(0, SHOWN_REVERSALS),
      has_more: total_count > SHOWN_REVERSALS,
      total_count,
    },
    reversed: amount_reversed === transfer.amount,
  });
  tx.emit('transfer.reversed', reversed);
  return created;
}

function checkReversalAmount(tx: Transaction, transfer: Transfer, params: Params): number {
  const left = transfer.amount - transfer.amount_reversed;
  if (left === 0) throw invalidRequest(`Transfer ${transfer.id} is already fully reversed.`);
  const amount = params.amount === undefined ? left : checkAmount(params.amount);
  if (amount > left) {
    throw invalidRequest(
      `Reversal amount (${dollars(amount)}) is greater than unreversed amount on transfer (${dollars(left)})`,
      { param: 'amount' },
    );
  }
  const balance = totalBalance(tx.all, transfer.currency, transfer.destination);
  if (amount > balance) {
    throw invalidRequest(
      `The connected account has insufficient funds (${dollars(balance)}) to reverse this transfer.`,
      { code: 'balance_insufficient' },
    );
  }
  return amount;
}
