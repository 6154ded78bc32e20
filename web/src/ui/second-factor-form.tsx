import type { PasskeyAnswer, PasskeyOptions } from '@lendtools/contracts';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorCode, errorMessage } from '../api/error-message.ts';
import { useSecondFactorLoginMutation } from '../api/login-api.ts';
import { supportsPasskeys } from '../lib/supports-passkeys.ts';
import { FormError } from './form-error.tsx';
import { KeepAccount } from './keep-account.tsx';

type Factor = 'passkey' | 'totp' | 'recovery-code';

/** The reply to a right password, if the account has a second factor. */
export interface SecondStep {
  challenge: string;
  factors?: Factor[];
  passkey?: PasskeyOptions;
}

const words: Record<Factor, { intro: string; label: string; switchTo: string }> = {
  passkey: {
    intro: 'Confirm that it’s you with your fingerprint, face, PIN or security key.',
    label: '',
    switchTo: 'Use your passkey',
  },
  totp: {
    intro: 'Enter the six digits that your authenticator app shows for LendTools.',
    label: 'Code',
    switchTo: 'Use your authenticator app',
  },
  'recovery-code': {
    intro: 'Enter one of the recovery codes that you saved. Each works once.',
    label: 'Recovery code',
    switchTo: 'Use a recovery code',
  },
};

function usableFactors({ factors = ['totp', 'recovery-code'], passkey }: SecondStep): Factor[] {
  const canUsePasskey = passkey !== undefined && supportsPasskeys();
  const usable = factors.filter((factor) => factor !== 'passkey' || canUsePasskey);
  return usable.sort((one, other) => Number(other === 'passkey') - Number(one === 'passkey'));
}

interface SecondFactorFormProps {
  step: SecondStep;
  /** Called if the password must be entered again. */
  onRestart: (reason: string) => void;
}

/** The second step of a login: a passkey, a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ step, onRestart }: SecondFactorFormProps) {
  const [logIn, { isLoading, error }] = useSecondFactorLoginMutation();
  const [code, setCode] = useState('');
  const [answer, setAnswer] = useState<PasskeyAnswer>();
  const [problem, setProblem] = useState('');
  const [isPrompting, setIsPrompting] = useState(false);
  const factors = usableFactors(step);
  const [kind = 'recovery-code', setKind] = useState(factors[0]);
  const isClosed = errorCode(error) === 'ACCOUNT_CLOSED';
  const failure = problem || (error && !isClosed && errorMessage(error));
  const send = async (proof: { code: string } | { passkey: PasskeyAnswer }, keepAccount?: true) => {
    const keep = keepAccount && { keepAccount };
    const reply = await logIn({ challenge: step.challenge, ...proof, ...keep });
    if (errorCode(reply.error) === 'LOGIN_CHALLENGE_INVALID') onRestart(errorMessage(reply.error));
  };
  const confirmWithPasskey = async () => {
    if (!step.passkey) return;
    setProblem('');
    setIsPrompting(true);
    const { promptForPasskey } = await import('../lib/passkeys.ts');
    const outcome = await promptForPasskey(step.passkey);
    setIsPrompting(false);
    if (outcome.problem !== undefined) return setProblem(outcome.problem);
    setAnswer(outcome.answer);
    await send({ passkey: outcome.answer });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'passkey') void confirmWithPasskey();
    else void send({ code });
  };
  const keep = () => void send(kind === 'passkey' && answer ? { passkey: answer } : { code }, true);
  const switchTo = (other: Factor) => {
    setKind(other);
    setCode('');
    setProblem('');
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{words[kind].intro}</Text>
        {kind === 'passkey' ? (
          <FormError>{failure}</FormError>
        ) : (
          <TextInput
            key={kind}
            label={words[kind].label}
            autoComplete="one-time-code"
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={failure}
          />
        )}
        {isClosed && <KeepAccount error={error} isLoading={isLoading} onKeep={keep} />}
        <Button
          type="submit"
          size="lg"
          loading={isLoading || isPrompting}
          disabled={kind !== 'passkey' && !code.trim()}
        >
          {kind === 'passkey' ? words.passkey.switchTo : 'Login'}
        </Button>
        {factors
          .filter((other) => other !== kind)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              fw={600}
              ta="center"
              onClick={() => switchTo(other)}
            >
              {words[other].switchTo}
            </Anchor>
          ))}
      </Stack>
    </form>
  );
}
