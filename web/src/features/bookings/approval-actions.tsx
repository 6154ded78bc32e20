import type { Booking } from '@lendtools/contracts';
import { type Approval, undoMs } from '@lendtools/contracts/open-approval';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { baseApi } from '../../api/base-api.ts';
import { errorMessage } from '../../api/error-message.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import {
  useAcceptApprovalMutation,
  useDeclineApprovalMutation,
  useUndoAcceptMutation,
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

function Accept(props: ApprovalProps) {
  const { booking, approval } = props;
  const [accept, { isLoading }] = useAcceptApprovalMutation();
  const { undo } = useUndoAccept(props);
  const press = async () => {
    const { data, error } = await accept(idsOf(props));
    if (error) return toastError(errorMessage(error));
    const whose = `${booking.user.first_name}’s`;
    if (data.rental.approval?.chargesAt)
      toastWithUndo(
        `Accepted. ${whose} card is charged in ten seconds.`,
        undoMs,
        () => void undo(),
      );
    else if (approval.change?.dueCents === 0) toastSuccess('Accepted. The booking is changed.');
    else toastSuccess(`Accepted. ${whose} card is being charged.`);
  };
  return (
    <Button loading={isLoading} onClick={() => void press()}>
      Accept
    </Button>
  );
}

function useUndoAccept(props: ApprovalProps) {
  const [undoAccept, { isLoading }] = useUndoAcceptMutation();
  const undo = async () => {
    const { error } = await undoAccept(idsOf(props));
    if (error) toastError(errorMessage(error));
    else toastSuccess(`Undone. ${props.booking.user.first_name} still waits for your answer.`);
  };
  return { undo, isLoading };
}

/** An undo button that remains after the toast is closed or the page is reloaded, and is there in every tab. */
function UndoAccept(props: ApprovalProps) {
  const { undo, isLoading } = useUndoAccept(props);
  const { chargesAt } = props.approval;
  useRefreshOnceCharged(chargesAt ?? null);
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={18} aria-hidden />}
      loading={isLoading}
      onClick={() => void undo()}
    >
      Undo accept
    </Button>
  );
}

/** Refetches the bookings when the card is charged. The server decides until when an undo is possible. */
function useRefreshOnceCharged(chargesAt: string | null) {
  const dispatch = useDispatch();
  useEffect(() => {
    if (!chargesAt) return;
    // This device's clock may be wrong, so wait at most as long as the server does.
    const leftMs = Math.min(Math.max(Date.parse(chargesAt) - Date.now(), 0), undoMs);
    const refresh = () => dispatch(baseApi.util.invalidateTags(['Booking']));
    const timer = setTimeout(refresh, leftMs + 3_000);
    return () => clearTimeout(timer);
  }, [chargesAt, dispatch]);
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

/** The buttons for a requested booking; a requested change has its own buttons. */
export function RequestActions(props: BookingProps) {
  return props.booking.approval?.change ? null : <ApprovalActions {...props} />;
}

export function ApprovalActions({ booking, userId }: BookingProps) {
  const { approval, allowedActions } = booking;
  if (!approval) return null;
  const props = { booking, approval, userId };
  if (allowedActions.includes('undoAccept')) return <UndoAccept {...props} />;
  return (
    <>
      {allowedActions.includes('accept') && <Accept {...props} />}
      {allowedActions.includes('decline') && <Decline {...props} />}
      {allowedActions.includes('withdraw') && <Withdraw {...props} />}
    </>
  );
}
