import { type CommissionTerms, feeOf } from '@lendtools/contracts/commission';
import { Text } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { earnedInWords } from '../../rental/earnings-in-words.ts';
import { formatCents } from '../../rental/format.ts';
import { useEarningsQuery } from './my-tools-api.ts';

function termsInWords({ percent, fixedCents }: CommissionTerms): string {
  return [percent > 0 && `${percent}%`, fixedCents > 0 && formatCents(fixedCents)]
    .filter(Boolean)
    .join(' and ');
}

interface CommissionHintProps {
  /** Dollars; empty while the price is not an amount. */
  price: number | '';
  per: 'day' | 'hour';
}

/** Shows what a rental of one day or hour earns after the commission. Empty without a commission. */
export function CommissionHint({ price, per }: CommissionHintProps) {
  const { data } = useEarningsQuery(useUser()?.id ?? '');
  if (!data?.commission || price === '') return null;
  const cents = Math.round(price * 100);
  const feeCents = feeOf(cents, data.commission);
  if (feeCents === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      You earn {earnedInWords(cents, feeCents)} for one {per}. LendTools keeps{' '}
      {termsInWords(data.commission)} of each rental.
    </Text>
  );
}
