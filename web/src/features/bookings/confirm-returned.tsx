import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Checkbox, Group, Modal, Text } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { relistedText, useRelistToolMutation } from '../../api/relist-tool.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import { useConfirmReturnedMutation } from './bookings-api.ts';
import { undoableMs, useUndoReturn } from './undo-return.tsx';

interface ConfirmReturnedProps {
  booking: Booking;
  userId: string;
  /** For an admin, who stays on the page: whether to lend the tool again is for its owner to say. */
  asAdmin?: boolean;
}

/** Confirms the return and, where it is wanted, lists the tool again; the toast takes back both: a tool that is out is off offer. */
function useReturn({ booking, userId, asAdmin }: ConfirmReturnedProps) {
  const { id: bookingId, name, rental_id } = booking;
  const [confirmReturned, confirming] = useConfirmReturnedMutation();
  const [relist, relisting] = useRelistToolMutation();
  const { undo } = useUndoReturn(booking, userId);

  const giveBack = async ({ andRelist }: { andRelist: boolean }): Promise<boolean> => {
    const { error } = await confirmReturned({ userId, bookingId });
    if (error) {
      toastError(errorMessage(error));
      return false;
    }
    const relisted = andRelist ? await relist(rental_id) : null;
    const words = asAdmin ? 'is back with its owner.' : 'is back. Thank you for lending it.';
    toastWithUndo(`${name} ${words}`, undoableMs, () => void undo());
    if (relisted?.error) toastError(errorMessage(relisted.error));
    else if (relisted) toastSuccess(relistedText);
    return true;
  };
  return { giveBack, isLoading: confirming.isLoading || relisting.isLoading };
}

/** Asks once, for the return and for what becomes of the tool, then goes back to the list. */
export function ConfirmReturned(props: ConfirmReturnedProps) {
  const { booking, asAdmin } = props;
  const { giveBack, isLoading } = useReturn(props);
  const [asking, setAsking] = useState(false);
  const [andRelist, setAndRelist] = useState(true);
  const tool = useToolQuery(asking && !asAdmin ? booking.rental_id : skipToken);
  const isOffOffer = tool.data?.item_status === 'Unavailable';
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const close = () => setAsking(false);
  useBackCloses(asking, close);

  const confirm = async () => {
    if (!(await giveBack({ andRelist: isOffOffer && andRelist }))) return close();
    // The dialog's entry in the history is left by the way to the list; where there is none it is closed.
    if (asAdmin || pathname === paths.myBookings) close();
    else await navigate(paths.myBookings);
  };

  return (
    <>
      {booking.returned_status !== 'Returned' && (
        <Button
          color="green"
          leftSection={<IconCheck size={18} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          Confirm Returned
        </Button>
      )}
      <Modal opened={asking} onClose={close} title={`Is ${booking.name} back?`}>
        <Text>
          {booking.user.first_name} is told, and the rest of the dates are free again. You can undo
          this for a minute.
        </Text>
        {isOffOffer && (
          <Checkbox
            mt="md"
            label="Re-list it, so that others can book it"
            checked={andRelist}
            onChange={(event) => setAndRelist(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Not yet
          </Button>
          <Button
            color="green"
            loading={isLoading || tool.isFetching}
            onClick={() => void confirm()}
          >
            Yes, it’s back
          </Button>
        </Group>
      </Modal>
    </>
  );
}
