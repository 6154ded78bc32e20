import type { Statement, StatementLine } from './api/payouts.ts';
import { formatOfZones } from './local-time.ts';

/** The texts of statements, for the PDF and CSV files. */

const inUtc = (options: Intl.DateTimeFormatOptions) => {
  const format = formatOfZones(options);
  return (instant: string): string => format('UTC').format(new Date(instant));
};

const monthName = inUtc({ month: 'long', year: 'numeric' });

/** `November 2026`. */
export const monthInWords = (month: string): string => monthName(`${month}-01T00:00:00Z`);

/** `Nov 3, 2026`, in UTC as the months are. */
export const dayOfLine = inUtc({ dateStyle: 'medium' });

const kinds: Record<StatementLine['kind'], string> = {
  release: 'Rental',
  refund: 'Refund to the renter',
  dispute: 'Dispute of the renter’s bank',
  transfer: 'Transfer to your Stripe account',
  reversal: 'Transfer back from your Stripe account',
  netting: 'Debt paid from what you earned',
  'write-off': 'Debt written off',
};

export const kindInWords = ({ kind }: Pick<StatementLine, 'kind'>): string => kinds[kind];

/** Adds up to what the owner is owed at the end of the month. */
export const sumsOfStatement = ({
  openingCents,
  priceCents,
  refundedCents,
  commissionCents,
  writtenOffCents,
  transferredCents,
  closingCents,
}: Statement): { title: string; cents: number; isTotal: boolean }[] =>
  [
    { title: 'Balance before', cents: openingCents, isTotal: true },
    { title: 'Rentals', cents: priceCents, isTotal: false },
    { title: 'Refunds and disputes', cents: 0 - refundedCents, isTotal: false },
    { title: 'Commission', cents: 0 - commissionCents, isTotal: false },
    { title: 'Debts written off', cents: writtenOffCents, isTotal: false },
    { title: 'Transferred to your Stripe account', cents: 0 - transferredCents, isTotal: false },
    { title: 'Balance after', cents: closingCents, isTotal: true },
  ].filter(({ cents, isTotal }) => isTotal || cents !== 0);
