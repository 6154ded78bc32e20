import type { PasskeyAnswer } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { errorCode, errorMessage, problemOf } from '../api/error-message.ts';
import {
  useLoginMutation,
  usePasskeyLoginMutation,
  useStartPasskeyLoginMutation,
} from '../api/login-api.ts';
import { supportsPasskeys } from '../lib/supports-passkeys.ts';
import { FormError } from './form-error.tsx';
import { KeepAccount } from './keep-account.tsx';
import type { SecondStep } from './second-factor-form.tsx';

const missing = { email: 'Please enter your email', password: 'Please enter your password' };
type Fields = typeof missing;

/** The login was right, but the account will be deleted. */
interface Closed {
  error: unknown;
  keep: () => void;
}

/** No form library for two fields: the login is a landing page and must load quickly. */
export function useLogin() {
  const [login, { isLoading, data }] = useLoginMutation();
  const [startPasskey] = useStartPasskeyLoginMutation();
  const [passkeyLogin] = usePasskeyLoginMutation();
  const [isPrompting, setIsPrompting] = useState(false);
  const [failure, setFailure] = useState('');
  const [step, setStep] = useState<SecondStep | null>(null);
  const [closed, setClosed] = useState<Closed | null>(null);
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
    await logIn({ email, password });
  };
  const logIn = async (typed: { email: string; password: string; keepAccount?: boolean }) => {
    setClosed(null);
    const { error } = await login(typed);
    showProblem(error, () => void logIn({ ...typed, keepAccount: true }));
  };
  const showProblem = (error: unknown, keep: () => void) => {
    const { challenge, ...more } = problemOf<SecondStep>(error);
    if (challenge) setStep({ challenge, ...more });
    else if (errorCode(error) === 'ACCOUNT_CLOSED') setClosed({ error, keep });
    else if (error) setFailure(errorMessage(error));
  };
  const sendPasskey = async (answer: { passkey: PasskeyAnswer; keepAccount?: boolean }) => {
    setClosed(null);
    const { error } = await passkeyLogin(answer);
    showProblem(error, () => void sendPasskey({ ...answer, keepAccount: true }));
  };
  const promptAndSend = async () => {
    const { data: options, error } = await startPasskey();
    if (!options) return setFailure(errorMessage(error));
    const { promptForPasskey } = await import('../lib/passkeys.ts');
    const { answer, problem } = await promptForPasskey(options);
    if (answer) await sendPasskey({ passkey: answer });
    else setFailure(problem);
  };
  const logInWithPasskey = async () => {
    setFailure('');
    setErrors({});
    setIsPrompting(true);
    await promptAndSend().finally(() => setIsPrompting(false));
  };
  const restart = (reason: string) => {
    setStep(null);
    setFailure(reason);
  };
  const needsFactor = data?.secondFactorNeeded === true;
  const shown = { errors, failure, closed, isLoading, isPrompting, step, needsFactor };
  return { ...shown, submit, logInWithPasskey, restart };
}

interface LoginFormProps {
  login: ReturnType<typeof useLogin>;
  /** The email that the user has already entered elsewhere. */
  email?: string | undefined;
}

export function LoginForm({ login, email }: LoginFormProps) {
  const { submit, logInWithPasskey, errors, failure, closed, isLoading, isPrompting } = login;
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
        {closed && <KeepAccount error={closed.error} isLoading={isLoading} onKeep={closed.keep} />}
        <Button type="submit" size="lg" loading={isLoading}>
          Login
        </Button>
        {supportsPasskeys() && (
          <Button
            variant="default"
            size="lg"
            loading={isPrompting}
            onClick={() => void logInWithPasskey()}
          >
            Sign in with a passkey
          </Button>
        )}
      </Stack>
    </form>
  );
}
