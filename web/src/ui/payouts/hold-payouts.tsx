import { Button } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { useHoldPayoutsMutation } from '../../api/payout-account-api.ts';
import { confirm } from '../confirm.tsx';
import { toastError, toastSuccess } from '../toast.ts';

interface HoldPayoutsProps {
  ownerId: string;
  ownerName: string;
  isHeld: boolean;
}

/** Holds an owner's payouts after a question; resumes them at once. */
export function HoldPayouts({ ownerId, ownerName, isHeld }: HoldPayoutsProps) {
  const [hold, { isLoading }] = useHoldPayoutsMutation();
  const set = async () => {
    const question = `${ownerName} gets no more money until you resume the payouts. Bookings go on, and what is earned waits.`;
    const title = `Hold the payouts of ${ownerName}?`;
    if (!isHeld && !(await confirm(question, { title, confirm: 'Hold payouts' }))) return;
    const { data, error } = await hold({ userId: ownerId, isHeld: !isHeld });
    if (!data) return toastError(errorMessage(error));
    if (isHeld && data.isHeld)
      return toastError('The account is disabled, so its payouts stay on hold. Enable it first.');
    toastSuccess(data.isHeld ? 'The payouts are on hold' : 'Payouts resumed');
  };
  const label = isHeld ? 'Resume payouts' : 'Hold payouts';
  return (
    <Button
      variant="default"
      size="sm"
      px="sm"
      loading={isLoading}
      aria-label={`${label} of ${ownerName}`}
      onClick={() => void set()}
    >
      {label}
    </Button>
  );
}
