import type { Booking } from '@lendtools/contracts';
import type { Approval } from '@lendtools/contracts/open-approval';
import { Button } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import {
  useAcceptApprovalMutation,
  useDeclineApprovalMutation,
  useWithdrawApprovalMutation,
} from './bookings-api.ts';
import { DeclineWithNote } from './decline-with-note.tsx';

interface BookingProps {
  booking: Booking;
  userId: string;
}

interface ApprovalProps extends BookingProps {
  approval: Approval;
}

function idsOf({ booking, approval, userId }: ApprovalProps) {
  return { userId, bookingId: booking.id, approvalId: approval.id };
}

function Accept(props: ApprovalProps & { size?: 'sm' }) {
  const { booking, approval, size } = props;
  const [accept, { isLoading }] = useAcceptApprovalMutation();
  const press = async () => {
    const { error } = await accept(idsOf(props));
    if (error) return toastError(errorMessage(error));
    const isFree = approval.change?.dueCents === 0;
    const charged = `${booking.user.first_name}’s card is being charged.`;
    toastSuccess(`Accepted. ${isFree ? 'The booking is changed.' : charged}`);
  };
  return (
    <Button
      size={size}
      loading={isLoading}
      // In a list, each button needs a distinct label.
      {...(size && { 'aria-label': `Accept the request for ${booking.name}` })}
      onClick={() => void press()}
    >
      Accept
    </Button>
  );
}

function Decline(props: ApprovalProps) {
  const { booking, approval } = props;
  const [decline] = useDeclineApprovalMutation();
  const { first_name } = booking.user;
  const { change } = approval;
  return (
    <DeclineWithNote
      title={change ? 'Decline this change?' : 'Decline this request?'}
      reader={first_name}
      done={
        change ? 'Declined. The booking stays as it was.' : 'Declined. The dates are free again.'
      }
      onDecline={(note) => decline({ ...idsOf(props), note })}
    >
      {change
        ? `${change.dueCents > 0 ? `${first_name} is not charged. ` : ''}The booking of ${booking.name} stays as it is.`
        : `${first_name} is not charged, and the dates of ${booking.name} are free again.`}
    </DeclineWithNote>
  );
}

function withdrawalInWords({ booking, approval: { change } }: ApprovalProps) {
  const stays = 'Your booking stays as it is.';
  const free = 'Your card was not charged.';
  if (!change)
    return {
      title: 'Withdraw this request?',
      question: `${booking.name}, ${booking.booking_code}. ${free}`,
      done: `Withdrawn. ${free}`,
    };
  return {
    title: 'Withdraw this change?',
    question: change.dueCents > 0 ? `${free} ${stays}` : stays,
    done: `Withdrawn. ${stays}`,
  };
}

function Withdraw(props: ApprovalProps) {
  const [withdraw, { isLoading }] = useWithdrawApprovalMutation();
  const { title, question, done } = withdrawalInWords(props);
  const ask = async () => {
    if (!(await confirm(question, { title, confirm: 'Withdraw', cancel: 'Keep it' }))) return;
    const { error } = await withdraw(idsOf(props));
    if (error) toastError(errorMessage(error));
    else toastSuccess(done);
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void ask()}>
      Withdraw
    </Button>
  );
}

/** Accepts a requested booking from a list; requested changes are answered on the booking's page. */
export function AcceptRequest({ booking, userId }: BookingProps) {
  const { approval, allowedActions } = booking;
  if (!approval || approval.change || !allowedActions.includes('accept')) return null;
  return <Accept booking={booking} approval={approval} userId={userId} size="sm" />;
}

/** The buttons for a requested booking; a requested change has its own buttons. */
export function RequestActions(props: BookingProps) {
  return props.booking.approval?.change ? null : <ApprovalActions {...props} />;
}

export function ApprovalActions({ booking, userId }: BookingProps) {
  const { approval, allowedActions } = booking;
  if (!approval) return null;
  const props = { booking, approval, userId };
  return (
    <>
      {allowedActions.includes('accept') && <Accept {...props} />}
      {allowedActions.includes('decline') && <Decline {...props} />}
      {allowedActions.includes('withdraw') && <Withdraw {...props} />}
    </>
  );
}
