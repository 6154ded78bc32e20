import * as paths from '@lendtools/contracts/pages';
import { Button, Stack, Text } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { type SessionUser, useUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../rental/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import { useAccountDialog } from '../../ui/use-account-dialog.tsx';
import classes from './cart.module.css';
import { CartItems } from './cart-items.tsx';
import { cartCleared, itemAdded, selectCart } from './cart-slice.ts';
import { PayForm } from './pay-form.tsx';
import { useCheckout, useUnfinishedCheckout } from './use-checkout.ts';

const undoEmptyMs = 10_000;

interface FilledCartProps {
  locked: boolean;
  children: ReactNode;
}

function FilledCart({ locked, children }: FilledCartProps) {
  return (
    <>
      <PageHeader title="Cart" action={<EmptyCartButton locked={locked} />} />
      <div className={classes.columns}>{children}</div>
    </>
  );
}

function VisitorCart({ account }: { account: ReturnType<typeof useAccountDialog> }) {
  const { cartItems, totalAmount } = useSelector(selectCart);
  return (
    <FilledCart locked={false}>
      <CartItems items={cartItems} problem={null} locked={false} />
      <Stack className={classes.pay} component="section" aria-label="Payment">
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatMoney(totalAmount)}</span>
        </div>
        <Text c="dimmed">You need to have an account or sign-in to make booking.</Text>
        <Button {...account.button} size="lg" fullWidth onClick={account.open}>
          PAY {formatMoney(totalAmount)}
        </Button>
      </Stack>
    </FilledCart>
  );
}

function MemberCart({ user }: { user: SessionUser }) {
  const { cartItems } = useSelector(selectCart);
  const checkout = useCheckout(user);
  const locked = checkout.step !== '';
  return (
    <FilledCart locked={locked}>
      <CartItems items={cartItems} problem={checkout.problem} locked={locked} />
      <PayForm checkout={checkout} />
    </FilledCart>
  );
}

function EmptyCartButton({ locked }: { locked: boolean }) {
  const dispatch = useDispatch();
  const { cartItems } = useSelector(selectCart);
  const empty = () => {
    dispatch(cartCleared());
    toastWithUndo('Your cart is empty.', undoEmptyMs, () => {
      for (const item of cartItems) dispatch(itemAdded(item));
    });
  };
  return (
    <Button variant="default" disabled={locked} onClick={empty}>
      Empty cart
    </Button>
  );
}

function EmptyCart({ browsePath }: { browsePath: string }) {
  return (
    <>
      <PageHeader title="Cart" />
      <EmptyState
        icon={IconShoppingCart}
        title="Your cart is empty"
        action={
          <Button component={Link} to={browsePath}>
            Browse tools
          </Button>
        }
      >
        Find a tool, choose your dates, and it waits for you here.
      </EmptyState>
    </>
  );
}

export default function CartPage() {
  const user = useUser();
  const { cartItems } = useSelector(selectCart);
  useUnfinishedCheckout(user);
  const account = useAccountDialog();
  const isEmpty = cartItems.length === 0;
  return (
    <div className={`page-width ${classes.page}`}>
      {isEmpty && <EmptyCart browsePath={user ? paths.dashboard : paths.home} />}
      {!isEmpty && (user ? <MemberCart user={user} /> : <VisitorCart account={account} />)}
      {account.dialog}
    </div>
  );
}
