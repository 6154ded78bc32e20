import type Stripe from 'stripe';
import { z } from 'zod';
import type { StripeTransfer } from '../domain/transfer.ts';
import { idOf } from '../stripe/stripe-api.ts';

/** A transfer without these was made in the dashboard, with the operator's own money. */
const ours = z.object({ paymentId: z.uuid(), bookingId: z.uuid(), transferId: z.uuid() });

/** The group that Stripe assigns to transfers of an intent's charge. */
export const groupOf = (intentId: string): string => `group_${intentId}`;

/** Our transfers of a payment at Stripe with their reversals, the oldest first. */
export const readTransfers = async (
  stripe: Stripe,
  { paymentId, intentId }: { paymentId: string; intentId: string },
): Promise<StripeTransfer[]> => {
  const transfers: StripeTransfer[] = [];
  for await (const transfer of stripe.transfers.list({
    transfer_group: groupOf(intentId),
    limit: 100,
  })) {
    const { data } = ours.safeParse(transfer.metadata);
    if (data?.paymentId !== paymentId) continue;
    // A transfer contains its ten newest reversals.
    const reversals = transfer.reversals.has_more
      ? await stripe.transfers
          .listReversals(transfer.id, { limit: 100 })
          .autoPagingToArray({ limit: 1_000 })
      : transfer.reversals.data;
    transfers.push(toTransfer(transfer, { ...data, reversals }));
  }
  return transfers.reverse();
};

/** `reversals` are listed newest first. */
export const toTransfer = (
  { id, destination, amount, created }: Stripe.Transfer,
  {
    bookingId,
    transferId: rowId,
    reversals,
  }: { bookingId: string; transferId: string; reversals: Stripe.TransferReversal[] },
): StripeTransfer => ({
  transferId: id,
  rowId,
  bookingId,
  accountId: idOf(destination),
  cents: amount,
  createdAt: timeOf(created),
  reversals: reversals
    .map((reversal) => ({
      reversalId: reversal.id,
      rowId: z.uuid().safeParse(reversal.metadata?.reversalId).data ?? null,
      cents: reversal.amount,
      createdAt: timeOf(reversal.created),
    }))
    .reverse(),
});

const timeOf = (seconds: number): Date => new Date(seconds * 1_000);
