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
import type { BookingDraft } from '../../lib/booking-draft.ts';
import { endTimes } from '../../lib/booking-rules.ts';
import { formatCents, formatDay, formatDayAndTime, formatMoney } from '../../lib/format.ts';
import { dayInWords, type ToolCalendar } from '../../lib/tool-calendar.ts';
import { useNow } from '../../lib/use-now.ts';
import { QuantityField } from '../../ui/quantity-field.tsx';
import { RangeCalendar } from '../../ui/range-calendar.tsx';
import { TimeSelect } from '../../ui/time-select.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { WhenFields } from '../../ui/when-fields.tsx';
import { ChangePrice } from './change-price.tsx';
import { useChangeBookingMutation, useChangePreviewQuery } from './checkout-api.ts';

const draftOf = ({ start_date, start_time, end_date, end_time, quantity }: Booking) => ({
  start_date,
  start_time,
  end_date,
  end_time,
  quantity,
});

const isSame = (one: BookingDraft, other: BookingDraft) =>
  (Object.keys(other) as (keyof BookingDraft)[]).every((field) => one[field] === other[field]);

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

export function ChangeForm({ booking, tool, user }: ChangeFormProps) {
  const { id, toolOwner } = booking;
  const hasBegun = Date.parse(booking.startsAt) <= useNow();
  const had = useMemo(() => ({ id, ...draftOf(booking) }), [id, booking]);
  const [draft, setDraft] = useState<BookingDraft>(() => draftOf(booking));
  const { calendar, onLook } = useToolCalendar(tool, draft, had);
  const withTimes = Boolean(booking.start_time) || tool.rental_circle === 'hourly';
  const [change, { isLoading }] = useChangeBookingMutation();
  const navigate = useNavigate();

  const isComplete = Boolean(draft.start_date && draft.end_date);
  const asked = { userId: user.id, bookingId: id, ...draft };
  const isAsked = isComplete && !isSame(draft, draftOf(booking));
  const { currentData, error, isFetching, refetch } = useChangePreviewQuery(
    isAsked ? asked : skipToken,
  );

  // After an error don't show the last preview, which is out of date.
  const preview = error ? undefined : currentData;
  const save = async ({ dueCents, refundCents }: ChangePreview) => {
    const { data, error: refused } = await change({ ...asked, dueCents, refundCents });
    if (refused) {
      toastError(errorMessage(refused));
      return void refetch();
    }
    // The change has to be paid: the refetched booking contains the change, so the page shows the payment.
    if (data.hold) return;
    const isRequested = data.rental.changeRequest?.state === 'asked';
    const back = refundCents > 0 ? ` ${formatCents(refundCents)} goes back to your card.` : '';
    toastSuccess(
      isRequested
        ? `${toolOwner.first_name} is asked. Until then your booking stays as it is.`
        : `Your booking is changed.${back}`,
    );
    await navigate(paths.ofId(paths.rental, id), { replace: true });
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
      {hasBegun ? (
        <EndFields
          tool={tool}
          draft={draft}
          calendar={calendar}
          onLook={onLook}
          withTimes={withTimes}
          onChange={setDraft}
        />
      ) : (
        <WhenFields
          tool={tool}
          draft={draft}
          calendar={calendar}
          onLook={onLook}
          withTimes={withTimes}
          errors={{}}
          onChange={setDraft}
        />
      )}
      {!hasBegun && tool.quantity > 1 && (
        <QuantityField
          quantity={draft.quantity}
          most={tool.quantity}
          onChange={(quantity) => setDraft({ ...draft, quantity })}
        />
      )}
      <div role="status">
        {isAsked && error && !isFetching && (
          <Alert color="orange" title="Not possible">
            {errorMessage(error)}
          </Alert>
        )}
        {isAsked && preview && (
          <ChangePrice booking={booking} preview={preview} hasBegun={hasBegun} />
        )}
      </div>
      <Button
        size="lg"
        fullWidth
        loading={isLoading || (isAsked && isFetching)}
        disabled={!isAsked || !preview}
        onClick={() => preview && void save(preview)}
      >
        {preview ? buttonInWords(preview, toolOwner.first_name) : 'Change booking'}
      </Button>
    </Stack>
  );
}
