import type { Booking } from '@lendtools/contracts';
import { Text } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../rental/answer-by.ts';
import { formatMoney } from '../../rental/format.ts';

function requestInWords(booking: Booking, me: string | undefined): string {
  const { approval, user, toolOwner, payment } = booking;
  if (!approval || approval.change) return '';
  const isOwner = me === toolOwner.id;
  const whose = me === user.id ? 'Your' : `${user.first_name}’s`;
  const free = `${whose} card was not charged.`;
  const by = answerByInWords(approval, booking);
  switch (approval.status) {
    case 'accepted':
      return `Accepted. ${whose} card is being charged…`;
    case 'pending':
      if (approval.chargesAt)
        return `Accepted. ${whose} card is charged ${formatMoney(payment)} in a moment. Until then you can undo this.`;
      return isOwner
        ? `${user.first_name} is waiting for your answer until ${by}. ${whose} card is charged ${formatMoney(payment)} once you accept.`
        : `Waiting for ${toolOwner.first_name}, until ${by}. ${whose} card is charged only if ${toolOwner.first_name} accepts.`;
    case 'declined':
      if (approval.by === 'admin')
        return `An admin declined. ${approval.note && `“${approval.note}” `}${free}`;
      return `${isOwner ? 'You' : toolOwner.first_name} declined. ${approval.note && `“${approval.note}” `}${free}`;
    case 'withdrawn':
      return `${me === user.id ? 'You' : user.first_name} withdrew this request. ${free}`;
    case 'lapsed':
      return `This request has ended without an answer. ${free}`;
    case 'failed':
      return `${whose} card could not be charged, so there is no booking.`;
    default:
      return '';
  }
}

export function RequestStatus({ booking }: { booking: Booking }) {
  const me = useUser()?.id;
  const words = requestInWords(booking, me);
  return words ? (
    <Text mt="xs" role="status" style={{ overflowWrap: 'anywhere' }}>
      {words}
    </Text>
  ) : null;
}
