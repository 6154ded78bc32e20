import type { Booking } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useUndoReturnMutation } from './bookings-api.ts';

/** As long as the server lets a confirmed return be undone. */
export const undoableMs = 60_000;

/** One timer, for the moment when it is over: most bookings of a list are long past it and need none. */
function useCanBeUndone({ returnedAt, allowedActions }: Booking): boolean {
  const mayBe = returnedAt !== null && allowedActions.includes('undoReturn');
  const until = mayBe ? Date.parse(returnedAt) + undoableMs : 0;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (now >= until) return;
    const timer = setTimeout(() => setNow(Math.max(Date.now(), until)), until - Date.now());
    return () => clearTimeout(timer);
  }, [now, until]);
  return now < until;
}

/** The call, and the message about it. */
export function useUndoReturn(booking: Booking, userId: string) {
  const [undoReturn, { isLoading }] = useUndoReturnMutation();
  const undo = async (): Promise<boolean> => {
    const { error } = await undoReturn({ userId, bookingId: booking.id });
    if (error) toastError(errorMessage(error));
    else toastSuccess(`Undone. ${booking.name} is still out.`);
    return !error;
  };
  return { undo, isLoading };
}

/** For people who closed the toast or reloaded the page: shown for a minute. */
export function UndoReturn({ booking, userId }: { booking: Booking; userId: string }) {
  const { undo, isLoading } = useUndoReturn(booking, userId);
  if (!useCanBeUndone(booking)) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={18} aria-hidden />}
      loading={isLoading}
      onClick={() => void undo()}
    >
      Undo return
    </Button>
  );
}
