import * as paths from '@lendtools/contracts/pages';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorCode } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { randomId } from '../../lib/random-id.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { SendVerification } from '../../ui/verify-email.tsx';
import { useAddToolMutation } from './my-tools-api.ts';
import { ToolForm } from './tool-form.tsx';
import { useOwnerAddress } from './use-owner-address.tsx';

export default function AddToolPage() {
  const userId = useUser()?.id ?? '';
  const [addTool] = useAddToolMutation();
  const [key, setKey] = useState(randomId);
  const [mustVerify, setMustVerify] = useState(false);
  const navigate = useNavigate();

  const address = useOwnerAddress();

  const save = async (form: FormData, onSaved: () => void) => {
    const addressError = await address.save();
    if (addressError) return addressError;
    const { data, error } = await addTool({ userId, form, idempotencyKey: key });
    if (!data) {
      setMustVerify(errorCode(error) === 'EMAIL_NOT_VERIFIED');
      if (errorCode(error) === 'ADDRESS_MISSING') void address.refetch();
      // After an error reply, the next attempt needs a new idempotency key; after a lost reply, the old one.
      if ('status' in error && typeof error.status === 'number') setKey(randomId());
      return error;
    }
    onSaved();
    toastSuccess(data.message);
    await navigate(paths.myTools);
  };
  return (
    <>
      <PageHeader
        title="Add New Item for rent"
        intro="A clear photo and an honest price find a neighbor fast."
      />
      <ToolForm
        tool={null}
        address={address}
        submitLabel="List this tool"
        busyLabel="Listing your tool…"
        onSave={save}
      />
      {mustVerify && (
        <Group mt="md">
          <SendVerification />
        </Group>
      )}
    </>
  );
}
