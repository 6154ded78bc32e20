import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { LoginForm, useLogin } from './login-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { Sheet } from './sheet.tsx';
import { ShortSignUp, useShortSignUp } from './short-sign-up.tsx';

const signUpLabel = 'I’m new here';
const loginLabel = 'I have an account';

interface AccountDialogProps {
  opened: boolean;
  intro?: string | undefined;
  onClose: () => void;
}

/** Sign-up and login over a screen, for a visitor who wants to book or to ask. The session starts; the screen stays. */
export default function AccountDialog({
  opened,
  intro = 'You need to have an account or sign-in to make booking.',
  onClose,
}: AccountDialogProps) {
  const [shown, setShown] = useState(signUpLabel);
  const login = useLogin();
  const signUp = useShortSignUp((reason) => {
    login.restart(reason);
    setShown(loginLabel);
  });
  return (
    <Sheet
      title={login.step ? 'One more step' : 'Sign up or log in'}
      opened={opened}
      onClose={onClose}
    >
      {login.step ? (
        <SecondFactorForm step={login.step} onRestart={login.restart} />
      ) : (
        <Stack gap="md">
          <Text>{intro}</Text>
          <SegmentedControl
            fullWidth
            aria-label="Account"
            data={[signUpLabel, loginLabel]}
            value={shown}
            onChange={setShown}
          />
          {shown === signUpLabel ? (
            <ShortSignUp {...signUp} />
          ) : (
            <LoginForm login={login} email={signUp.form.values.email} />
          )}
        </Stack>
      )}
    </Sheet>
  );
}
