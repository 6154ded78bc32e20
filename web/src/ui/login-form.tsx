import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { errorMessage, problemOf } from '../api/error-message.ts';
import { useLoginMutation } from '../api/login-api.ts';
import { FormError } from './form-error.tsx';

const missing = { email: 'Please enter your email', password: 'Please enter your password' };
type Fields = typeof missing;

/** No form library for two fields: the login is a landing page and must load quickly. */
export function useLogin() {
  const [login, { isLoading, data }] = useLoginMutation();
  const [failure, setFailure] = useState('');
  const [challenge, setChallenge] = useState('');
  const [errors, setErrors] = useState<Partial<Fields>>({});
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const read = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    const [email, password] = [read('email'), read('password')];
    const empty = {
      ...(!email && { email: missing.email }),
      ...(!password && { password: missing.password }),
    };
    setErrors(empty);
    const [first] = Object.keys(empty);
    if (first) return form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    setFailure('');
    const { error } = await login({ email, password });
    const { challenge } = problemOf<{ challenge: string }>(error);
    if (challenge) setChallenge(challenge);
    else if (error) setFailure(errorMessage(error));
  };
  const restart = (reason: string) => {
    setChallenge('');
    setFailure(reason);
  };
  const needsFactor = data?.secondFactorNeeded === true;
  return { submit, errors, failure, isLoading, challenge, restart, needsFactor };
}

interface LoginFormProps {
  login: ReturnType<typeof useLogin>;
  /** The email that the user has already entered elsewhere. */
  email?: string | undefined;
}

export function LoginForm({ login, email }: LoginFormProps) {
  const { submit, errors, failure, isLoading } = login;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          name="email"
          error={errors.email}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          defaultValue={email}
        />
        <PasswordInput
          name="password"
          error={errors.password}
          label="Password"
          autoComplete="current-password"
        />
        <Group justify="end">
          <Anchor component={Link} to={paths.passwordRequest} size="sm" py={4}>
            Forgot your password?
          </Anchor>
        </Group>
        <FormError>{failure}</FormError>
        <Button type="submit" size="lg" loading={isLoading}>
          Login
        </Button>
      </Stack>
    </form>
  );
}
