import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { errorMessage, problemOf } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { returnAddress } from '../../lib/return-address.ts';
import { useLoginMutation } from './account-api.ts';
import { AccountCard, FormError } from './account-card.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

const missing = { email: 'Please enter your email', password: 'Please enter your password' };
type Fields = typeof missing;

/** No form library for two fields: this is a landing page and must load quickly. */
function useLoginForm() {
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

export default function LoginPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const loggedIn = useUser() !== null;
  const { submit, errors, failure, isLoading, challenge, restart, needsFactor } = useLoginForm();
  const { state } = useLocation();
  const next = needsFactor ? paths.security : returnAddress(params, paths.dashboard);
  useEffect(() => {
    if (loggedIn) void navigate(next, { replace: true });
  }, [loggedIn, next, navigate]);
  if (challenge) return <SecondFactorStep challenge={challenge} onRestart={restart} />;
  const signUpPath = `${paths.signUp}${params.size ? `?${params}` : ''}`;
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
            name="email"
            error={errors.email}
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            defaultValue={state?.email}
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
    </AccountCard>
  );
}
