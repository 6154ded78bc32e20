import { describe, expect, it } from '@jest/globals';
import { feeOf } from '@lendtools/contracts/commission';
import fc from 'fast-check';
import {
  type Marketplace,
  marketplaceSteps,
  newMarketplace,
} from '../../test/marketplace-model.ts';
import { type Account, type Entry, totalOf } from './ledger.ts';
import { balancesOfShare, remainsOf, type Share } from './share.ts';

// biome-ignore lint/style/noProcessEnv: a parameter of this test only.
const runs = Number(process.env.LEDGER_HISTORIES ?? 300);

const sumOf = (all: readonly { cents: number }[]): number =>
  all.reduce((sum, { cents }) => sum + cents, 0);

/** Throws instead of an `expect` for each number, which would take most of the time. */
const mustBe = (isSo: boolean, what: string, ...values: unknown[]): void => {
  if (!isSo) throw new Error(`${what}: ${JSON.stringify(values)}`);
};

const checkSigns = (entries: readonly Entry[]): void => {
  for (const bookingId of new Set(entries.map((entry) => entry.bookingId))) {
    const own = entries.filter((entry) => entry.bookingId === bookingId);
    for (const account of ['due', 'pending', 'available', 'commission', 'sending'] as const)
      mustBe(totalOf(own, account) >= 0, `${account} of ${bookingId}`, totalOf(own, account));
    mustBe(totalOf(own, 'debts') <= 0, `debts of ${bookingId}`, totalOf(own, 'debts'));
  }
  mustBe(totalOf(entries, 'unallocated') >= 0, 'unallocated', totalOf(entries, 'unallocated'));
  for (const account of ['disputes', 'losses'] as const)
    mustBe(totalOf(entries, account) <= 0, account, totalOf(entries, account));
};

/** Only what is over is released. Then the commission is the fee of what remains. */
const checkRelease = (
  entries: readonly Entry[],
  { share: { bookingId, terms }, isOver }: { share: Share; isOver: boolean },
): void => {
  const remains = remainsOf(entries, bookingId);
  const { pending, operator, commission } = balancesOfShare(entries, bookingId);
  mustBe(remains >= 0, `what remains of ${bookingId}`, remains);
  const isReleased = entries.some(
    ({ key, bookingId: of }) => key.startsWith('release:') && of === bookingId,
  );
  mustBe(isOver || !isReleased, `released, but not over: ${bookingId}`);
  const fee = feeOf(remains - pending - operator, terms ?? null);
  if (isReleased && terms)
    mustBe(commission === fee, `commission of ${bookingId}`, commission, fee);
};

/** Charged = refunded + transferred + commission + held + unallocated: the left from Stripe's books, the rest from ours. */
const checkSums = (
  { model, chargedCents }: Marketplace['payments'][number],
  { entries, transferred }: { entries: readonly Entry[]; transferred: number },
): void => {
  const { card, bank } = model.books();
  const total = (account: Account) => totalOf(entries, account);
  mustBe(total('card') === card, 'card', total('card'), card);
  mustBe(total('bank') === bank, 'bank', total('bank'), bank);
  mustBe(total('owner') === transferred, 'owner', total('owner'), transferred);
  const refunded = card + chargedCents;
  const held = total('unallocated') + total('pending') + total('available') + total('sending');
  const missing = total('debts') + total('losses') + total('disputes');
  const others = total('due') + total('operator') + total('netting');
  const sum = refunded + transferred + total('commission') + bank + held + others + missing;
  mustBe(sum === chargedCents, 'charged', sum, chargedCents);
};

const check = ({ payments, transfers, entriesOf, entries, isOver }: Marketplace): void => {
  for (const payment of payments) {
    const posted = entriesOf(payment.paymentId);
    checkSigns(posted);
    for (const share of payment.shares)
      checkRelease(posted, { share, isOver: isOver(share.bookingId) });
    const own = transfers.filter(({ paymentId }) => paymentId === payment.paymentId);
    const transferred = sumOf(own) - sumOf(own.flatMap(({ reversals }) => reversals));
    checkSums(payment, { entries: posted, transferred });
  }
  const all = entries();
  for (const ownerId of new Set(all.map((entry) => entry.ownerId))) {
    const own = all.filter((entry) => entry.ownerId === ownerId);
    mustBe(totalOf(own, 'netting') === 0, `netting of ${ownerId}`, totalOf(own, 'netting'));
  }
  const ids = all.map(({ key, line }) => `${key} ${line}`);
  mustBe(new Set(ids).size === ids.length, 'keys', ids);
};

const checkTransfers = ({ transfers }: Marketplace): void => {
  const rowIds = transfers.map(({ rowId }) => rowId);
  mustBe(new Set(rowIds).size === rowIds.length, 'rows that were transferred', rowIds);
};

describe('the ledger of a marketplace', () => {
  it(`equals Stripe's books after any history of purchases, changes, refunds, disputes and transfers (${runs} histories)`, () => {
    fc.assert(
      fc.property(fc.array(marketplaceSteps, { maxLength: 60, size: 'max' }), (history) => {
        const marketplace = newMarketplace();
        for (const step of history)
          for (const paymentId of marketplace.apply(step))
            checkSigns(marketplace.entriesOf(paymentId));
        marketplace.followAll();
        check(marketplace);
        checkTransfers(marketplace);
        expect(marketplace.missing()).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
