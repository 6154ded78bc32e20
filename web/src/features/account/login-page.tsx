import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { errorMessage } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { returnAddress } from '../../lib/return-address.ts';
import { focusFirstError } from '../../ui/focus-first-error.ts';
import { useLoginMutation } from './account-api.ts';
import { AccountCard, FormError } from './account-card.tsx';

/** Login; afterwards the dashboard, or wherever the person was on the way to. */
export function Component() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const loggedIn = useUser() !== null;
  const [login, { isLoading }] = useLoginMutation();
  const [failure, setFailure] = useState('');
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: isNotEmpty('Please enter your email'),
      password: isNotEmpty('Please enter your password'),
    },
  });
  const next = returnAddress(params, '/user/user-dashboard');

  useEffect(() => {
    if (loggedIn) void navigate(next, { replace: true });
  }, [loggedIn, next, navigate]);

  const submit = form.onSubmit(
    async (values) => {
      setFailure('');
      const { error } = await login(values);
      if (error) setFailure(errorMessage(error));
    },
    (errors) => focusFirstError(form, errors),
  );
  const signUpPath = `/create-account${params.size ? `?${params}` : ''}`;
  return (
    <AccountCard
      title="Login"
      intro="Good to see you again."
      footer={
        <>
          New here?{' '}
          <Anchor component={Link} to={signUpPath} fw={600}>
            Create An Account
          </Anchor>
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            {...form.getInputProps('email')}
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
          />
          <PasswordInput
            {...form.getInputProps('password')}
            label="Password"
            autoComplete="current-password"
          />
          <Group justify="end">
            <Anchor component={Link} to="/password-request" size="sm" py={4}>
              Forgot your password?
            </Anchor>
          </Group>
          <FormError>{failure}</FormError>
          <Button type="submit" size="lg" loading={isLoading}>
            Login
          </Button>
        </Stack>
      </form>
    </AccountCard>
  );
}
