import type { Booking, ChangePreview, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import * as paths from '@lendtools/contracts/pages';
import { hasPassed, longestDays } from '@lendtools/contracts/rental-period';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useToolCalendar } from '../../api/availability-api.ts';
import { errorMessage } from '../../api/error-message.ts';
import type { SessionUser } from '../../api/session-slice.ts';
import { useNow } from '../../lib/use-now.ts';
import type { BookingDraft } from '../../rental/booking-draft.ts';
import { endTimes } from '../../rental/booking-rules.ts';
import { formatCents, formatDay, formatDayAndTime, formatMoney } from '../../rental/format.ts';
import { dayInWords, type ToolCalendar } from '../../rental/tool-calendar.ts';
import { QuantityField } from '../../ui/fields/quantity-field.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { RangeCalendar } from '../../ui/when/range-calendar.tsx';
import { TimeSelect } from '../../ui/when/time-select.tsx';
import { WhenFields } from '../../ui/when/when-fields.tsx';
import { ChangePrice } from './change-price.tsx';
import { useChangeBookingMutation, useChangePreviewQuery } from './checkout-api.ts';

function draftOf({ start_date, start_time, end_date, end_time, quantity }: Booking) {
  return {
    start_date,
    start_time,
    end_date,
    end_time,
    quantity,
  };
}

function isSame(one: BookingDraft, other: BookingDraft) {
  return (Object.keys(other) as (keyof BookingDraft)[]).every(
    (field) => one[field] === other[field],
  );
}

function buttonInWords({ dueCents, answerBy }: ChangePreview, owner: string): string {
  if (answerBy) return `Ask ${owner}`;
  return dueCents > 0 ? `Pay ${formatCents(dueCents)}` : 'Change booking';
}

interface EndFieldsProps {
  tool: Tool;
  draft: BookingDraft;
  calendar: ToolCalendar;
  onLook: (day: string) => void;
  withTimes: boolean;
  onChange: (draft: BookingDraft) => void;
}

/** The fields for a rental that has started: only its end can change. */
function EndFields({ tool, draft, calendar, onLook, withTimes, onChange }: EndFieldsProps) {
  const { timeZone } = tool;
  const now = Date.now();
  const { start_date, end_date } = draft;
  const times = endTimes(tool, draft, calendar).filter(
    (time) => !hasPassed({ date: end_date, time }, timeZone, now),
  );
  const isPossible = (day: string) => !calendar.problemOf({ ...draft, end_date: day });
  return (
    <>
      <Text fw={500}>Returning date: {formatDay(end_date)}</Text>
      <RangeCalendar
        start={start_date}
        end={end_date}
        picking="end"
        min={localDate(timeZone, now)}
        max={laterDay(start_date, longestDays)}
        stateOf={(day) => dayInWords(calendar.dayOf(day), tool.quantity)}
        isTaken={(day) => !isPossible(day)}
        isPossible={isPossible}
        onLook={onLook}
        onPick={(day) => onChange({ ...draft, end_date: day })}
      />
      {withTimes && (
        <TimeSelect
          label="Returning time"
          value={draft.end_time}
          times={times}
          onChange={(end_time) => onChange({ ...draft, end_time })}
        />
      )}
    </>
  );
}

interface ChangeFormProps {
  booking: Booking;
  tool: Tool;
  user: SessionUser;
}

function useChange({ booking, tool, user }: ChangeFormProps) {
  const { id, toolOwner } = booking;
  const had = useMemo(() => ({ id, ...draftOf(booking) }), [id, booking]);
  const [draft, setDraft] = useState<BookingDraft>(() => draftOf(booking));
  const { calendar, onLook } = useToolCalendar(tool, draft, had);
  const [change, { isLoading }] = useChangeBookingMutation();
  const navigate = useNavigate();

  const isComplete = Boolean(draft.start_date && draft.end_date);
  const changeInput = { userId: user.id, bookingId: id, ...draft };
  const isChanged = isComplete && !isSame(draft, draftOf(booking));
  const { currentData, error, isFetching, refetch } = useChangePreviewQuery(
    isChanged ? changeInput : skipToken,
  );

  // After an error, hide the last preview, which is out of date.
  const preview = error ? undefined : currentData;
  const save = async ({ dueCents, refundCents }: ChangePreview) => {
    const { data, error: rejected } = await change({ ...changeInput, dueCents, refundCents });
    if (rejected) {
      toastError(errorMessage(rejected));
      return void refetch();
    }
    // Stay here if the change must be paid: the page shows the payment once the refetched booking contains the change.
    if (data.hold) return;
    const isRequested = data.rental.approval?.status === 'pending';
    const back = refundCents > 0 ? ` ${formatCents(refundCents)} goes back to your card.` : '';
    toastSuccess(
      isRequested
        ? `${toolOwner.first_name} is asked. Until then your booking stays as it is.`
        : `Your booking is changed.${back}`,
    );
    await navigate(paths.ofId(paths.rental, id), { replace: true });
  };
  return {
    draft,
    setDraft,
    calendar,
    onLook,
    isChanged,
    preview,
    error,
    isFetching,
    isLoading,
    save,
  };
}

export function ChangeForm(props: ChangeFormProps) {
  const { booking, tool } = props;
  const hasBegun = Date.parse(booking.startsAt) <= useNow();
  const { draft, setDraft, isChanged, preview, error, isFetching, ...change } = useChange(props);
  const fields = {
    tool,
    draft,
    calendar: change.calendar,
    onLook: change.onLook,
    withTimes: Boolean(booking.start_time) || tool.rental_circle === 'hourly',
    onChange: setDraft,
  };
  return (
    <Stack component="section" gap="md" maw={560} aria-label="New dates">
      <div>
        <Text fw={700} fz="lg">
          {booking.name}
        </Text>
        <Text c="dimmed">
          Booked: {formatDayAndTime(booking.start_date, booking.start_time)} to{' '}
          {formatDayAndTime(booking.end_date, booking.end_time)}
          {booking.quantity > 1 && `, ${booking.quantity} of them`}, {formatMoney(booking.payment)}
        </Text>
      </div>
      {hasBegun ? <EndFields {...fields} /> : <WhenFields {...fields} errors={{}} />}
      {!hasBegun && tool.quantity > 1 && (
        <QuantityField
          quantity={draft.quantity}
          most={tool.quantity}
          onChange={(quantity) => setDraft({ ...draft, quantity })}
        />
      )}
      <div role="status">
        {isChanged && error && !isFetching && (
          <Alert color="orange" title="Not possible">
            {errorMessage(error)}
          </Alert>
        )}
        {isChanged && preview && (
          <ChangePrice booking={booking} preview={preview} hasBegun={hasBegun} />
        )}
      </div>
      <Button
        size="lg"
        fullWidth
        loading={change.isLoading || (isChanged && isFetching)}
        disabled={!isChanged || !preview}
        onClick={() => preview && void change.save(preview)}
      >
        {preview ? buttonInWords(preview, booking.toolOwner.first_name) : 'Change booking'}
      </Button>
    </Stack>
  );
}
