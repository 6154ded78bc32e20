import * as paths from '@lendtools/contracts/pages';
import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { errorMessage, fieldErrors, networkErrorText } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useResetPasswordMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

function resetFailure(error: unknown): string {
  const reason = errorMessage(error);
  return reason === networkErrorText ? reason : `Error resetting password. ${reason}`;
}

export default function ResetPasswordPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const token = params.get('token') ?? '';
  const userId = params.get('userId') ?? undefined;
  const [reset, { isLoading, error }] = useResetPasswordMutation();
  const form = useForm({
    initialValues: { newPassword: '' },
    validate: {
      newPassword: (password) =>
        password.length < 8 ? 'Please choose a password of at least 8 characters' : null,
    },
  });
  const submit = form.onSubmit(async ({ newPassword }) => {
    const reply = await reset({ token, newPassword, userId });
    if (reply.error) return form.setErrors(fieldErrors(reply.error));
    toastSuccess(reply.data.message);
    void navigate(paths.login);
  });
  return (
    <AccountCard title="Choose a new password" intro="You’ll be logged out everywhere else.">
      {token ? (
        <form noValidate onSubmit={submit}>
          <Stack gap="md">
            <PasswordInput
              {...form.getInputProps('newPassword')}
              label="New password"
              description="At least 8 characters. A few words in a row are easy to remember."
              autoComplete="new-password"
              withAsterisk
            />
            <FormError>{error && resetFailure(error)}</FormError>
            <Button type="submit" size="lg" loading={isLoading}>
              Reset Password
            </Button>
          </Stack>
        </form>
      ) : (
        <Alert color="orange" title="This link is incomplete">
          Please open it from the email again, or{' '}
          <Anchor component={Link} to={paths.passwordRequest}>
            ask for a new one
          </Anchor>
          .
        </Alert>
      )}
    </AccountCard>
  );
}
