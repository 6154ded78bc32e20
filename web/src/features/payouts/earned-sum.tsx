import { Text } from '@mantine/core';
import { earnedInWords } from '../../rental/earnings-in-words.ts';
import { formatCents } from '../../rental/format.ts';

interface EarnedSumProps {
  /** What renters paid, before refunds. */
  grossCents: number;
  refundedCents: number;
  commissionCents: number;
  writtenOffCents: number;
}

function Detail({ children }: { children: string }) {
  return (
    <Text span display="block" size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** Shows `$34.00 − $3.40 = $30.60`, after refunds. A month can have more refunds than rentals: then only the sum. */
export function EarnedSum(props: EarnedSumProps) {
  const { grossCents, refundedCents, commissionCents, writtenOffCents } = props;
  const leftCents = grossCents - refundedCents;
  return (
    <span className="tabular">
      {leftCents < 0
        ? formatCents(leftCents - commissionCents)
        : earnedInWords(leftCents, commissionCents)}
      {refundedCents > 0 && (
        <Detail>{`${formatCents(grossCents)} less ${formatCents(refundedCents)} refunded`}</Detail>
      )}
      {refundedCents < 0 && <Detail>{`with ${formatCents(-refundedCents)} restored`}</Detail>}
      {writtenOffCents > 0 && (
        <Detail>{`${formatCents(writtenOffCents)} of your debt was written off`}</Detail>
      )}
    </span>
  );
}
