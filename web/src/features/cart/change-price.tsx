import type { Booking, ChangePreview } from '@lendtools/contracts';
import { Group, Text } from '@mantine/core';
import { answerByInWords } from '../../rental/answer-by.ts';
import { formatCents } from '../../rental/format.ts';

function priceInWords(preview: ChangePreview, owner: string, hasBegun: boolean): string {
  const { dueCents, refundCents, keptCents, answerBy } = preview;
  if (dueCents > 0)
    return `You pay ${formatCents(dueCents)} more${answerBy ? ` if ${owner} accepts` : ''}.`;
  const back = refundCents > 0 ? `${formatCents(refundCents)} goes back to your card.` : '';
  const why = hasBegun ? 'Once a rental has begun,' : 'By the cancellation policy,';
  const kept = keptCents > 0 ? `${why} ${formatCents(keptCents)} stays with ${owner}.` : '';
  return [back, kept].filter(Boolean).join(' ') || 'The price stays the same.';
}

function leftInWords({ changesLeft }: ChangePreview): string {
  if (!changesLeft) return '';
  const { today, inAll } = changesLeft;
  const left = { 1: 'once', 2: 'twice' }[Math.min(today, inAll)];
  if (!left) return '';
  return `You can change this booking ${left} more${today < inAll ? ' today' : ''}.`;
}

interface ChangePriceProps {
  booking: Booking;
  preview: ChangePreview;
  hasBegun: boolean;
}

export function ChangePrice({ booking, preview, hasBegun }: ChangePriceProps) {
  const { answerBy, totalCents, keptCents } = preview;
  const owner = booking.toolOwner.first_name;
  return (
    <>
      <Group justify="space-between">
        <Text fw={700}>New price</Text>
        <Text fw={700} fz="lg" className="tabular">
          {formatCents(totalCents)}
        </Text>
      </Group>
      <Text>{priceInWords(preview, owner, hasBegun)}</Text>
      {answerBy && (
        <Text>
          {owner} is asked first, and may answer until {answerByInWords({ answerBy }, booking)}.
          Until then your booking stays as it is.
        </Text>
      )}
      {keptCents > 0 && (
        <Text fw={700}>
          If you change your mind, these {booking.rental_circle === 'hourly' ? 'hours' : 'days'} are
          paid again.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {leftInWords(preview)}
      </Text>
    </>
  );
}
