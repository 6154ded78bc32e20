import type { Booking } from '@lendtools/contracts';
import { Text } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../rental/format.ts';
import { formatDate } from '../../rental/format-instant.ts';
import { refundArrivesBy } from './refund-arrival.ts';

function whyCancelled({ cancellation, toolOwner }: Booking, me: string | undefined): string {
  if (!cancellation) return '';
  const { cause, reason } = cancellation;
  switch (cause) {
    case 'owner-disabled':
      return toolOwner.id === me
        ? ' Your account was not active.'
        : ` ${toolOwner.first_name}’s account is no longer active.`;
    case 'dispute-lost':
      return ' The payment was disputed, and the bank returned it to the cardholder.';
    default:
      return reason ? ` The reason: “${reason}”` : '';
  }
}

/** Says when a refund that may still be under way arrives. */
function arrivalInWords(at: string): string {
  const arrivesBy = refundArrivesBy(at);
  return Date.parse(arrivesBy) > Date.now() ? `, by ${formatDate(arrivesBy)}` : '';
}

export function Cancelled({ booking }: { booking: Booking }) {
  const { cancellation, cancellationPolicy, refundable, user, toolOwner } = booking;
  const me = useUser()?.id;
  if (!cancellation) return null;
  const { by, at, refund } = cancellation;
  const keeper = toolOwner.id === me ? 'you' : toolOwner.first_name;
  const actor = { renter: user, owner: toolOwner, admin: null }[by];
  const who = actor?.id === me ? 'you' : (actor?.first_name ?? 'LendTools');
  const whose = user.id === me ? 'your' : `${user.first_name}’s`;
  return (
    <Text mt="xs" style={{ overflowWrap: 'anywhere' }}>
      Cancelled by {who} on {formatDate(at)}.{whyCancelled(booking, me)}
      {refund > 0 && ` ${formatMoney(refund)} goes back to ${whose} card${arrivalInWords(at)}.`}
      {cancellationPolicy &&
        by === 'renter' &&
        refundable > 0 &&
        ` By the cancellation policy, ${formatMoney(refundable)} stays with ${keeper}.`}
    </Text>
  );
}
