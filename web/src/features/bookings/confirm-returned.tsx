import type { Booking } from '@lendtools/contracts';
import { Button, Group, Modal, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { relistedText, useRelistToolMutation } from '../../api/relist-tool.ts';
import { useLazyToolQuery } from '../../api/tool-api.ts';
import { useBackCloses } from '../../lib/overlay-history.ts';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useConfirmReturnedMutation } from './bookings-api.ts';

const bookingsPath = '/user/my-bookings';

interface ConfirmReturnedProps {
  booking: Booking;
  userId: string;
  /** For an admin, who stays on the page: whether to lend the tool again is for its owner to say. */
  asAdmin?: boolean;
}

/** Confirms that the tool came back, then offers to put it on offer again in one tap. */
export function ConfirmReturned({ booking, userId, asAdmin }: ConfirmReturnedProps) {
  const [confirmReturned, { isLoading }] = useConfirmReturnedMutation();
  const [readTool, toolRequest] = useLazyToolQuery();
  const [relist, relisting] = useRelistToolMutation();
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const leave = () => void navigate(bookingsPath);
  useBackCloses(asking, () => setAsking(false));

  const confirm = async () => {
    const { error } = await confirmReturned({ userId, bookingId: booking.id });
    if (error) return toastError(errorMessage(error));
    if (asAdmin) return toastSuccess(`${booking.name} is back with its owner.`);
    toastSuccess(`${booking.name} is back. Thank you for lending it.`);
    const { data: tool } = await readTool(booking.rental_id);
    if (tool?.item_status === 'Unavailable') setAsking(true);
    else leave();
  };
  const relistAndLeave = async () => {
    const { error } = await relist(booking.rental_id);
    if (error) return toastError(errorMessage(error));
    toastSuccess(relistedText);
    leave();
  };

  return (
    <>
      {booking.returned_status !== 'Returned' && (
        <Button
          color="green"
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={isLoading || toolRequest.isFetching}
          onClick={() => void confirm()}
        >
          Confirm Returned
        </Button>
      )}
      <Modal opened={asking} onClose={leave} title="Ready for the next neighbor?">
        <Text>
          {booking.name} is not on offer at the moment. Re-list it and others can book it again.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={leave}>
            Not now
          </Button>
          <Button
            data-autofocus
            loading={relisting.isLoading}
            onClick={() => void relistAndLeave()}
          >
            Re-list
          </Button>
        </Group>
      </Modal>
    </>
  );
}
