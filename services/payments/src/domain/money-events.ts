import type { EventData, EventType } from '@lendtools/contracts';
import { balanceOf, type Entry } from './ledger.ts';

type OfType<T extends EventType> = { [K in T]: { type: K; data: EventData<K> } }[T];
/** `key` is the movement that causes the event. */
export type MoneyEvent = OfType<'TransferSent' | 'DebtIncurred' | 'DebtPaid'> & { key: string };

/** Why a movement makes a debt, by the beginning of its key. */
const reasons: Record<string, EventData<'DebtIncurred'>['reason']> = {
  order: 'refund',
  refund: 'refund',
  outside: 'refund',
  loss: 'dispute',
  transfer: 'other',
};
/** How a movement pays a debt. One that an admin writes off causes no event. */
const waysToPay: Record<string, EventData<'DebtPaid'>['by']> = {
  reversal: 'reversal',
  netting: 'netting',
};

const prefixOf = ({ key }: { key: string }): string => key.split(':', 1)[0] as string;

/** What owners are notified of when entries of a payment are posted. */
export const moneyEventsOf = (paymentId: string, entries: readonly Entry[]): MoneyEvent[] => [
  ...transfersIn(paymentId, entries),
  ...debtsIn(paymentId, entries),
];

const transfersIn = (paymentId: string, entries: readonly Entry[]): MoneyEvent[] => {
  const sent = entries.filter(({ key, to }) => /^transfer:.*:sent$/.test(key) && to === 'owner');
  return groupBy(sent, ({ key }) => key).flatMap(([first, ...rest]) => {
    const { key, stripeId: transferId, bookingId, ownerId } = first;
    if (!transferId || !bookingId || !ownerId) return [];
    const amountCents = rest.reduce((sum, { cents }) => sum + cents, first.cents);
    const data = { transferId, paymentId, bookingId, ownerId, amountCents };
    return [{ type: 'TransferSent', key, data }];
  });
};

/** A debt that is made and undone by the same entries causes no event: Stripe may report a refund together with its failure. */
const debtsIn = (paymentId: string, entries: readonly Entry[]): MoneyEvent[] => {
  const ofDebts = entries.filter(({ from, to }) => from === 'debts' || to === 'debts');
  return groupBy(ofDebts, ({ bookingId }) => bookingId).flatMap((own): MoneyEvent[] => {
    const { bookingId, ownerId, key } = own[0];
    if (!bookingId || !ownerId) return [];
    const ofBooking = { paymentId, bookingId, ownerId };
    const events: MoneyEvent[] = [];
    const made = own.filter((entry) => reasons[prefixOf(entry)]);
    const debtCents = -balanceOf(made, 'debts', bookingId);
    const maker = made.findLast(({ from }) => from === 'debts');
    if (maker && debtCents > 0) {
      const reason = reasons[prefixOf(maker)] ?? 'other';
      events.push({
        type: 'DebtIncurred',
        key: maker.key,
        data: { ...ofBooking, debtCents, reason },
      });
    }
    for (const [prefix, by] of Object.entries(waysToPay)) {
      const paid = own.filter((entry) => prefixOf(entry) === prefix);
      const paidCents = balanceOf(paid, 'debts', bookingId);
      if (paidCents > 0)
        events.push({
          type: 'DebtPaid',
          key: paid[0]?.key ?? key,
          data: { ...ofBooking, paidCents, by },
        });
    }
    return events;
  });
};

const groupBy = <T, K>(all: readonly T[], keyOf: (one: T) => K): [T, ...T[]][] => [
  ...(Map.groupBy(all, keyOf) as Map<K, [T, ...T[]]>).values(),
];
