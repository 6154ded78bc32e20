import type { Booking } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button, Checkbox, Group, Modal, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { relistedText, useRelistToolMutation } from '../../api/relist-tool.ts';
import { useLazyToolQuery } from '../../api/tool-api.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import { useConfirmReturnedMutation } from './bookings-api.ts';
import { undoableMs, useUndoReturn } from './undo-return.tsx';

interface ConfirmReturnedProps {
  booking: Booking;
  userId: string;
  /** An admin stays on the page, and is not asked whether to list the tool again. */
  asAdmin?: boolean;
}

/** Confirms the return and, if wanted, lists the tool again. Undoing the return also unlists the tool. */
function useReturn({ booking, userId, asAdmin }: ConfirmReturnedProps) {
  const { id: bookingId, name, rental_id } = booking;
  const [confirmReturned, confirming] = useConfirmReturnedMutation();
  const [relist, relisting] = useRelistToolMutation();
  const { undo } = useUndoReturn(booking, userId);

  const acceptReturn = async ({ andRelist }: { andRelist: boolean }): Promise<boolean> => {
    const { data, error } = await confirmReturned({ userId, bookingId });
    if (error) {
      toastError(errorMessage(error));
      return false;
    }
    const relisted = andRelist ? await relist(rental_id) : null;
    const words = asAdmin ? 'is back with its owner.' : 'is back. Thank you for lending it.';
    if (data.rental.allowedActions.includes('undoReturn'))
      toastWithUndo(`${name} ${words}`, undoableMs, () => void undo());
    else toastSuccess(`${name} ${words}`);
    if (relisted?.error) toastError(errorMessage(relisted.error));
    else if (relisted) toastSuccess(relistedText);
    return true;
  };
  return { acceptReturn, isLoading: confirming.isLoading || relisting.isLoading };
}

/** Confirms the return of a tool. If the tool is unlisted, a dialog first asks whether to list it again. */
export function ConfirmReturned(props: ConfirmReturnedProps) {
  const { booking, asAdmin } = props;
  const { acceptReturn, isLoading } = useReturn(props);
  const [readTool, { isFetching }] = useLazyToolQuery();
  const [isOpen, setIsOpen] = useState(false);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);

  const confirm = async (options: { andRelist: boolean }) => {
    if (!(await acceptReturn(options))) return close();
    // Navigating to the list also removes the dialog's history entry; without a navigation, close the dialog.
    if (asAdmin || pathname === paths.myBookings) close();
    else await navigate(paths.myBookings);
  };
  const begin = async () => {
    const tool = asAdmin ? undefined : (await readTool(booking.rental_id)).data;
    if (tool?.item_status === 'Unavailable') setIsOpen(true);
    else await confirm({ andRelist: false });
  };

  return (
    <>
      {booking.returned_status !== 'Returned' && (
        <Button
          color="green"
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={isFetching || isLoading}
          onClick={() => void begin()}
        >
          Confirm Returned
        </Button>
      )}
      <RelistDialog
        opened={isOpen}
        booking={booking}
        isLoading={isLoading}
        onClose={close}
        onConfirm={(andRelist) => void confirm({ andRelist })}
      />
    </>
  );
}

interface RelistDialogProps {
  opened: boolean;
  booking: Booking;
  isLoading: boolean;
  onClose: () => void;
  onConfirm: (andRelist: boolean) => void;
}

function RelistDialog({ opened, booking, isLoading, onClose, onConfirm }: RelistDialogProps) {
  const [andRelist, setAndRelist] = useState(true);
  return (
    <Modal opened={opened} onClose={onClose} title={`Is ${booking.name} back?`}>
      <Text>
        {booking.user.first_name} is notified
        {booking.booking_status === 'Completed'
          ? '. The booking stays completed, so this cannot be undone.'
          : ', and the remaining dates are free again. You can undo this for a minute.'}
      </Text>
      <Checkbox
        mt="md"
        label="Re-list it, so that others can book it"
        checked={andRelist}
        onChange={(event) => setAndRelist(event.currentTarget.checked)}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Not yet
        </Button>
        <Button color="green" loading={isLoading} onClick={() => onConfirm(andRelist)}>
          Yes, it’s back
        </Button>
      </Group>
    </Modal>
  );
}
