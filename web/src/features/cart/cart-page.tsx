import { Button, Stack, Text } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { type SessionUser, useUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../lib/format.ts';
import { loginAddress } from '../../lib/return-address.ts';
import { confirm } from '../../ui/confirm.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-states.tsx';
import { toastError } from '../../ui/toast.ts';
import classes from './cart.module.css';
import { CartItems } from './cart-items.tsx';
import { cartCleared, selectCart } from './cart-slice.ts';
import { PayForm } from './pay-form.tsx';
import { useCheckout, useUnfinishedCheckout } from './use-checkout.ts';

const needsAccount = 'You need to have an account or sign-in to make booking.';

/** A visitor sees the sum, and the way to an account. */
function VisitorCart() {
  const { cartItems, totalAmount } = useSelector(selectCart);
  return (
    <div className={classes.columns}>
      <CartItems items={cartItems} problem={null} locked={false} />
      <Stack className={classes.pay} component="section" aria-label="Payment">
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatMoney(totalAmount)}</span>
        </div>
        <Text c="dimmed">{needsAccount}</Text>
        <Button size="lg" fullWidth onClick={() => toastError(needsAccount)}>
          PAY {formatMoney(totalAmount)}
        </Button>
        <Button component={Link} to={loginAddress('/user/cart')} variant="light" fullWidth>
          Login
        </Button>
      </Stack>
    </div>
  );
}

function MemberCart({ user }: { user: SessionUser }) {
  const { cartItems } = useSelector(selectCart);
  const checkout = useCheckout(user);
  return (
    <div className={classes.columns}>
      <CartItems items={cartItems} problem={checkout.problem} locked={checkout.step !== ''} />
      <PayForm checkout={checkout} />
    </div>
  );
}

function EmptyCartButton() {
  const dispatch = useDispatch();
  const ask = async () => {
    const agreed = await confirm('Everything in your cart will be removed.', {
      title: 'Empty your cart?',
      confirm: 'Empty cart',
    });
    if (agreed) dispatch(cartCleared());
  };
  return (
    <Button variant="default" onClick={() => void ask()}>
      Empty cart
    </Button>
  );
}

export function Component() {
  const user = useUser();
  const { cartItems } = useSelector(selectCart);
  useUnfinishedCheckout(user);
  const isEmpty = cartItems.length === 0;
  return (
    <div className={classes.page}>
      <PageHeader title="Cart" action={!isEmpty && <EmptyCartButton />} />
      {isEmpty && (
        <EmptyState
          icon={IconShoppingCart}
          title="Your cart is empty"
          action={
            <Button component={Link} to={user ? '/user/user-dashboard' : '/'}>
              Browse tools
            </Button>
          }
        >
          Find a tool, choose your dates, and it waits for you here.
        </EmptyState>
      )}
      {!isEmpty && (user ? <MemberCart user={user} /> : <VisitorCart />)}
    </div>
  );
}
