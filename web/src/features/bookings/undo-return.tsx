import type { Booking } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useUndoReturnMutation } from './bookings-api.ts';

/** How long after the confirmation the server accepts an undo. */
export const undoableMs = 60_000;

/** Whether the return can be undone now. Runs a timer only while it can, because most bookings in a list need none. */
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

/** An undo button that remains after the toast is closed or the page is reloaded. */
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
