import * as paths from '@lendtools/contracts/pages';
import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { returnAddress } from '../../lib/return-address.ts';
import { LoginForm, useLogin } from '../../ui/login-form.tsx';
import { SecondFactorForm } from '../../ui/second-factor-form.tsx';
import { AccountCard } from './account-card.tsx';

export default function LoginPage() {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const loggedIn = useUser() !== null;
  const login = useLogin();
  const next = login.needsFactor ? paths.security : returnAddress(params, paths.dashboard);
  useEffect(() => {
    if (loggedIn) void navigate(next, { replace: true });
  }, [loggedIn, next, navigate]);
  if (login.step) {
    return (
      <AccountCard title="One more step">
        <SecondFactorForm step={login.step} onRestart={login.restart} />
      </AccountCard>
    );
  }
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
      <LoginForm login={login} email={state?.email} />
    </AccountCard>
  );
}
