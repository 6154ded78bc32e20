import type { Booking } from '@lendtools/contracts';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { randomId } from '../../lib/random-id.ts';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { formatMoney } from '../../rental/format.ts';
import { MoneyField } from '../../ui/fields/money-field.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useRefundBookingMutation } from './bookings-api.ts';

interface RefundFormProps {
  booking: Booking;
  left: number;
  onDone: () => void;
}

/** Submits only after a confirmation, because a refund cannot be undone. */
function useRefundForm({ booking, left, onDone }: RefundFormProps) {
  const [refund, { isLoading }] = useRefundBookingMutation();
  const [amount, setAmount] = useState<number | ''>(left);
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});
  // One idempotency key each time the dialog opens, so that submitting again does not refund twice.
  const [idempotencyKey] = useState(randomId);
  const [isSure, setIsSure] = useState(false);

  const change = (act: () => void) => {
    act();
    setProblems({});
    setIsSure(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    const dollars = Number(amount);
    if (!(dollars > 0 && dollars <= left))
      return setProblems({ amountCents: `Please enter an amount up to ${formatMoney(left)}` });
    if (!reason.trim()) return setProblems({ reason: 'Please enter a reason' });
    if (!isSure) return setIsSure(true);
    const { error } = await refund({
      bookingId: booking.id,
      amountCents: Math.round(dollars * 100),
      reason: reason.trim(),
      idempotencyKey,
    });
    if (error) {
      setIsSure(false);
      const ofFields = fieldErrors(error);
      return setProblems(
        ofFields.amountCents || ofFields.reason ? ofFields : { form: errorMessage(error) },
      );
    }
    toastSuccess(`${formatMoney(dollars)} goes back to ${booking.user.first_name}’s card.`);
    onDone();
  };

  return { amount, setAmount, reason, setReason, problems, change, submit, isSure, isLoading };
}

function RefundForm(props: RefundFormProps) {
  const { booking, left, onDone } = props;
  const { amount, reason, problems, change, isSure, ...form } = useRefundForm(props);
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      <Stack>
        <MoneyField
          label="Amount"
          description={`At most ${formatMoney(left)}`}
          withAsterisk
          value={amount}
          error={problems.amountCents}
          onChange={(value) => change(() => form.setAmount(value))}
        />
        <Textarea
          label="Reason"
          description={`${booking.user.first_name} reads it.`}
          withAsterisk
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          error={problems.reason}
          onChange={(event) => {
            const { value } = event.currentTarget;
            change(() => form.setReason(value));
          }}
        />
        {problems.form && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problems.form}
          </Text>
        )}
        <Text role="status">
          {isSure &&
            `${formatMoney(Number(amount))} goes back to ${booking.user.first_name}’s card. This can’t be undone.`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Don’t refund
          </Button>
          <Button type="submit" color={isSure ? 'red.9' : undefined} loading={form.isLoading}>
            {isSure ? `Yes, refund ${formatMoney(Number(amount))}` : 'Refund'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function RefundBooking({ booking }: { booking: Booking }) {
  const [isOpen, setIsOpen] = useState(false);
  useBackCloses(isOpen, () => setIsOpen(false));
  const left = booking.settlement?.refundable ?? 0;
  return (
    <>
      {booking.allowedActions.includes('refund') && (
        <Button variant="default" onClick={() => setIsOpen(true)}>
          Refund
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Refund ${booking.name}, ${booking.booking_code}`}
      >
        <RefundForm booking={booking} left={left} onDone={() => setIsOpen(false)} />
      </Modal>
    </>
  );
}
