import type { Booking } from '@lendtools/contracts';
import { Button, Text } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { answerByInWords } from '../../lib/answer-by.ts';
import { formatMoney } from '../../lib/format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import {
  useAcceptRequestMutation,
  useDeclineRequestMutation,
  useWithdrawRequestMutation,
} from './bookings-api.ts';
import { DeclineWithNote } from './decline-with-note.tsx';

/** The state of a request, phrased for its reader. */
function requestInWords(booking: Booking, me: string | undefined): string {
  const { request, user, toolOwner, booking_status, payment } = booking;
  if (!request) return '';
  const isOwner = me === toolOwner.id;
  const whose = me === user.id ? 'Your' : `${user.first_name}’s`;
  const free = `${whose} card was not charged.`;
  const by = answerByInWords(request, booking);
  switch (booking_status) {
    case 'Requested':
      if (request.acceptedAt) return `Accepted. ${whose} card is being charged…`;
      return isOwner
        ? `${user.first_name} is waiting for your answer until ${by}. ${whose} card is charged ${formatMoney(payment)} once you accept.`
        : `Waiting for ${toolOwner.first_name}, until ${by}. ${whose} card is charged only if ${toolOwner.first_name} accepts.`;
    case 'Declined':
      if (request.by === 'admin')
        return `An admin declined. ${request.note && `“${request.note}” `}${free}`;
      return `${isOwner ? 'You' : toolOwner.first_name} declined. ${request.note && `“${request.note}” `}${free}`;
    case 'Withdrawn':
      return `${me === user.id ? 'You' : user.first_name} withdrew this request. ${free}`;
    case 'Lapsed':
      return `This request has ended without an answer. ${free}`;
    case 'Failed':
      return `${whose} card could not be charged, so there is no booking.`;
    default:
      return '';
  }
}

export function RequestNote({ booking }: { booking: Booking }) {
  const me = useUser()?.id;
  const words = requestInWords(booking, me);
  return words ? (
    <Text mt="xs" role="status" style={{ overflowWrap: 'anywhere' }}>
      {words}
    </Text>
  ) : null;
}

interface RequestProps {
  booking: Booking;
  userId: string;
}

export function AcceptRequest({ booking, userId, size }: RequestProps & { size?: 'sm' }) {
  const [accept, { isLoading }] = useAcceptRequestMutation();
  const press = async () => {
    const { error } = await accept({ userId, bookingId: booking.id });
    if (error) toastError(errorMessage(error));
    else toastSuccess(`Accepted. ${booking.user.first_name}’s card is being charged.`);
  };
  if (!booking.allowedActions.includes('accept')) return null;
  return (
    <Button
      size={size}
      loading={isLoading}
      // A label that differs for each request in a list.
      {...(size && { 'aria-label': `Accept the request for ${booking.name}` })}
      onClick={() => void press()}
    >
      Accept
    </Button>
  );
}

function DeclineRequest({ booking, userId }: RequestProps) {
  const [decline] = useDeclineRequestMutation();
  const { first_name } = booking.user;
  return (
    <DeclineWithNote
      title="Decline this request?"
      reader={first_name}
      done="Declined. The dates are free again."
      onDecline={(note) => decline({ userId, bookingId: booking.id, note })}
    >
      {first_name} is not charged, and the dates of {booking.name} are free again.
    </DeclineWithNote>
  );
}

function WithdrawRequest({ booking, userId }: RequestProps) {
  const [withdraw, { isLoading }] = useWithdrawRequestMutation();
  const ask = async () => {
    const agreed = await confirm(
      `${booking.name}, ${booking.booking_code}. Your card was not charged.`,
      { title: 'Withdraw this request?', confirm: 'Withdraw', cancel: 'Keep it' },
    );
    if (!agreed) return;
    const { error } = await withdraw({ userId, bookingId: booking.id });
    if (error) toastError(errorMessage(error));
    else toastSuccess('Withdrawn. Your card was not charged.');
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void ask()}>
      Withdraw
    </Button>
  );
}

export function RequestActions(props: RequestProps) {
  const { allowedActions } = props.booking;
  return (
    <>
      <AcceptRequest {...props} />
      {allowedActions.includes('decline') && <DeclineRequest {...props} />}
      {allowedActions.includes('withdraw') && <WithdrawRequest {...props} />}
    </>
  );
}
