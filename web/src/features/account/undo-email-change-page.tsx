import { Alert, Button, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useUndoEmailChangeMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

/** The page that the link in the email to the old address opens. Needs a button press, because mail scanners open links. */
export default function UndoEmailChangePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [undo, { isLoading, data, error }] = useUndoEmailChangeMutation();
  return (
    <AccountCard
      title="Undo the change of your email"
      intro="Your account gets its old email back. Everyone is logged out, and you choose a new password."
    >
      {data ? (
        <Alert color="green" role="status">
          {data.message}
        </Alert>
      ) : (
        <Stack gap="md">
          <FormError>{error && errorMessage(error)}</FormError>
          <Button
            size="lg"
            loading={isLoading}
            disabled={!token}
            onClick={() => void undo({ token })}
          >
            Undo the change
          </Button>
        </Stack>
      )}
    </AccountCard>
  );
}
