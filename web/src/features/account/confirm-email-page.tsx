import * as paths from '@lendtools/contracts/pages';
import { Alert, Button, Stack } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useConfirmEmailMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

/** The page that the link in a verification email opens. Needs a button press, because mail scanners open links. */
export default function ConfirmEmailPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [confirmEmail, { isLoading, data, error }] = useConfirmEmailMutation();
  return (
    <AccountCard title="Confirm your email" intro="One click, and we know that it’s yours.">
      <Stack gap="md">
        {data ? (
          <>
            <Alert color="green" role="status">
              {data.message}
            </Alert>
            <Button component={Link} to={paths.profile} size="lg">
              Continue
            </Button>
          </>
        ) : (
          <>
            <FormError>{error && errorMessage(error)}</FormError>
            <Button
              size="lg"
              loading={isLoading}
              disabled={!token}
              onClick={() => void confirmEmail({ token })}
            >
              Confirm
            </Button>
          </>
        )}
      </Stack>
    </AccountCard>
  );
}
