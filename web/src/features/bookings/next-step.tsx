import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useNow } from '../../lib/use-now.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { ApprovalActions, RequestActions } from './approval-actions.tsx';
import { ConfirmReturned } from './confirm-returned.tsx';
import { UndoReturn } from './undo-return.tsx';

export type Side = 'owner' | 'renter';

interface NextStepProps {
  booking: Booking;
  userId: string;
  side: Side;
  detailsPath: string;
}

interface StepLinkProps {
  to: string;
  words: string;
  /** The tool's name, which makes the link's accessible label unique. */
  name: string;
}

function StepLink({ to, words, name }: StepLinkProps) {
  return (
    <Button component={Link} to={to} aria-label={`${words}: ${name}`}>
      {words}
    </Button>
  );
}

/** The most likely next action for a booking; null if there is none. */
export function NextStep({ booking, userId, side, detailsPath }: NextStepProps) {
  const status = timeStatus(booking, useNow());
  const { id, name, rental_id, rating, allowedActions } = booking;
  const details = `${detailsPath}?id=${id}`;
  const isPast = status === 'Back' || status === 'Completed';
  if (booking.booking_status === 'Requested')
    return <RequestActions booking={booking} userId={userId} />;
  if (allowedActions.includes('undoAccept'))
    return <ApprovalActions booking={booking} userId={userId} />;
  if (allowedActions.includes('accept'))
    return <StepLink to={details} words="Answer the change" name={name} />;
  // Don't suggest the return of a completed booking; it can still be confirmed on the booking's page.
  if (side === 'owner' && !isPast && allowedActions.includes('acceptReturn')) {
    return <ConfirmReturned booking={booking} userId={userId} />;
  }
  if (status !== null && !isPast) {
    const other = side === 'owner' ? booking.user : booking.toolOwner;
    return (
      <StepLink to={`${details}#messages`} words={`Message ${other.first_name}`} name={name} />
    );
  }
  if (side === 'owner' && allowedActions.includes('reviewRenter') && !booking.reviews?.byOwner)
    return (
      <StepLink to={`${details}#review`} words={`Review ${booking.user.first_name}`} name={name} />
    );
  if (side === 'owner') return <UndoReturn booking={booking} userId={userId} />;
  if (isPast && rating === 0 && allowedActions.includes('review')) {
    return <StepLink to={`${details}#review`} words="Write a review" name={name} />;
  }
  return <StepLink to={paths.ofId(paths.memberTool, rental_id)} words="Rent again" name={name} />;
}
