import * as paths from '@lendtools/contracts/pages';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useChangePasswordMutation } from './profile-api.ts';

const failedText = 'Error resetting password';

export default function ChangePasswordPage() {
  const userId = useUser()?.id ?? '';
  const [changePassword, { isLoading }] = useChangePasswordMutation();
  const [reason, setReason] = useState('');
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (value) => (value ? null : 'Please enter your password'),
      newPassword: (value) =>
        value.length >= 8 ? null : 'Please choose a password of at least 8 characters',
    },
  });

  const save = async (values: typeof form.values) => {
    setReason('');
    const { data, error } = await changePassword({ userId, ...values });
    if (!data) {
      setReason(errorMessage(error));
      return form.setErrors(fieldErrors(error));
    }
    toastSuccess(data.message);
    await navigate(paths.profile);
  };

  return (
    <>
      <PageHeader title="Reset Password" back={{ to: paths.profile, label: 'Settings' }} />
      <form onSubmit={form.onSubmit((values) => void save(values))} noValidate>
        <Stack gap="md" maw={440}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            withAsterisk
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="At least 8 characters. A few words in a row are easy to remember."
            autoComplete="new-password"
            withAsterisk
            {...form.getInputProps('newPassword')}
          />
          {reason && (
            <Text c="var(--mantine-color-error)" role="alert">
              {failedText}: {reason}
            </Text>
          )}
          <Button type="submit" loading={isLoading} style={{ alignSelf: 'flex-start' }}>
            Reset Password
          </Button>
        </Stack>
      </form>
    </>
  );
}
