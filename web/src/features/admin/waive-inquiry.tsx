import type { Dispute } from '@lendtools/contracts';
import { Button } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useWaiveInquiryMutation } from './disputes-api.ts';

/** Lets the owners be paid although a bank inquires about the payment. */
export function WaiveInquiry({ dispute: { id, state, waivedAt } }: { dispute: Dispute }) {
  const [waive, { isLoading }] = useWaiveInquiryMutation();
  if (state !== 'inquiry' || waivedAt) return null;
  const run = async () => {
    const question =
      'The bank only asks so far, and the money of the owners waits. If a dispute follows and you lose it, the owners owe you what they got.';
    const title = 'Pay the owners in spite of the inquiry?';
    if (!(await confirm(question, { title, confirm: 'Pay the owners' }))) return;
    const { error } = await waive(id);
    if (error) return toastError(errorMessage(error));
    toastSuccess('The owners are paid as usual');
  };
  return (
    <Button
      variant="default"
      size="sm"
      loading={isLoading}
      aria-label={`Pay the owners in spite of ${id}`}
      onClick={() => void run()}
    >
      Pay owners
    </Button>
  );
}
