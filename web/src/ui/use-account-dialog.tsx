import { lazy, useEffect, useEffectEvent, useState, useTransition } from 'react';
import { useUser } from '../api/session-slice.ts';
import { whenNear } from '../lib/when-near.ts';
import { Part } from './part.tsx';

function loadDialog() {
  return import('./account-dialog.tsx');
}

const AccountDialog = lazy(loadDialog);

interface AccountDialogOptions {
  onLoggedIn?: () => void;
  /** Why an account is needed; by default, to book. */
  intro?: string;
}

/** Lets a visitor sign up or log in without leaving the screen. Then calls `onLoggedIn`. */
export function useAccountDialog({ onLoggedIn, intro }: AccountDialogOptions = {}) {
  const isMember = useUser() !== null;
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpening, startOpening] = useTransition();
  const goOn = useEffectEvent(() => onLoggedIn?.());
  useEffect(() => {
    if (!opened || !isMember) return;
    setOpened(false);
    goOn();
  }, [opened, isMember]);
  const open = () =>
    startOpening(() => {
      setWasOpened(true);
      setOpened(true);
    });
  return {
    open,
    isOpen: opened,
    /** For the button that opens the dialog. */
    button: { ...whenNear(loadDialog), 'aria-busy': isOpening || undefined },
    dialog: (
      <Part>
        {wasOpened && (
          <AccountDialog opened={opened} intro={intro} onClose={() => setOpened(false)} />
        )}
      </Part>
    ),
  };
}
