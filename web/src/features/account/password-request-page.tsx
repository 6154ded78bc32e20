import * as paths from '@lendtools/contracts/pages';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { IconMailCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useRequestPasswordTokenMutation } from './account-api.ts';
import { AccountCard } from './account-card.tsx';

/** Requests a reset link by email. The reply does not reveal whether the email has an account. */
export default function PasswordRequestPage() {
  const [request, { isLoading, data, error }] = useRequestPasswordTokenMutation();
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: isEmail('Please enter a valid email') },
  });
  return (
    <AccountCard
      title="Reset your password"
      intro="We’ll mail you a link to choose a new one."
      footer={
        <Anchor component={Link} to={paths.login} fw={600}>
          Back to login
        </Anchor>
      }
    >
      {data ? (
        <Alert color="green" icon={<IconMailCheck />} role="status">
          {data.message}
          <Text size="sm" mt="xs">
            Nothing there? Check your spam folder. You can ask for another link after 15 minutes.
          </Text>
        </Alert>
      ) : (
        <form noValidate onSubmit={form.onSubmit((values) => void request(values))}>
          <Stack gap="md">
            <TextInput
              {...form.getInputProps('email')}
              label="Email"
              type="email"
              autoComplete="username"
              withAsterisk
            />
            <FormError>{error && errorMessage(error)}</FormError>
            <Button type="submit" size="lg" loading={isLoading}>
              Submit
            </Button>
          </Stack>
        </form>
      )}
    </AccountCard>
  );
}
