import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import * as paths from '@lendtools/contracts/pages';
import { Button, Skeleton } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { IconCalendarOff, IconHourglass } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import classes from './cart.module.css';
import { ChangeForm } from './change-form.tsx';
import { useBookingToChangeQuery } from './checkout-api.ts';
import { PayChange } from './pay-change.tsx';

const noBooking = { data: { message: 'This link is missing its booking.' } };

export default function ChangeBookingPage() {
  const user = useUser();
  const [search] = useSearchParams();
  const id = search.get('id');
  // Refetch, because the unpaid change may have expired, or another tab may have started a change.
  const { data: booking, ...ofBooking } = useBookingToChangeQuery(id ?? skipToken, {
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  const { data: tool, ...ofTool } = useToolQuery(booking?.rental_id ?? skipToken);
  const back = id ? paths.ofId(paths.rental, id) : paths.rentalHistory;
  const error = id ? (ofBooking.error ?? ofTool.error) : noBooking;
  const isOver = booking && !booking.allowedActions.includes('change');
  const owner = booking?.toolOwner.first_name;
  const unpaid = booking?.unpaidChange;
  const change = unpaid?.holdId ? { ...unpaid, holdId: unpaid.holdId } : null;

  const content = () => {
    if (isOver && requestedChangeOf(booking))
      return (
        <EmptyState
          icon={IconHourglass}
          title={`${owner} is asked already`}
          action={
            <Button component={Link} to={back}>
              See how it stands
            </Button>
          }
        >
          Your booking says how the change you asked for stands.
        </EmptyState>
      );
    if (isOver)
      return (
        <EmptyState icon={IconCalendarOff} title="This booking can’t be changed">
          It is over, or it is not yours to change.
        </EmptyState>
      );
    if (booking && user && change)
      return <PayChange key={change.holdId} booking={booking} change={change} user={user} />;
    if (booking && user && tool)
      return <ChangeForm key={booking.changedAt} booking={booking} tool={tool} user={user} />;
    const again = ofBooking.error ? ofBooking.refetch : ofTool.refetch;
    if (error) return <ErrorState error={error} onRetry={id ? () => void again() : undefined} />;
    return <Skeleton h={420} radius={16} />;
  };
  const toPay = change?.onRequest ? `Ask ${owner} for the change` : 'Pay for the change';
  const title = change ? toPay : 'Change your booking';
  return (
    <div className={`page-width ${classes.page}`}>
      <PageHeader title={title} back={{ to: back, label: 'Your booking' }} />
      {content()}
    </div>
  );
}
