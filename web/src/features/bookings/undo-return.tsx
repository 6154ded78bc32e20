import type { Booking } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { errorMessage } from '../../api/error-message.ts';
import { useNow } from '../../lib/use-now.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useUndoReturnMutation } from './bookings-api.ts';

/** As long as the server lets a confirmed return be undone. */
export const undoableMs = 60_000;

export const canBeUndone = ({ returnedAt }: Booking, now: number): boolean =>
  returnedAt !== null && now - Date.parse(returnedAt) < undoableMs;

/** The call, and what is said of it. */
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

/** For whoever has closed the toast, or loaded the page again: for a minute, then nothing. */
export function UndoReturn({ booking, userId }: { booking: Booking; userId: string }) {
  const { undo, isLoading } = useUndoReturn(booking, userId);
  if (!canBeUndone(booking, useNow(1_000))) return null;
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
