import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { IconBrandStripe, IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { useSavedCardsQuery } from '../../api/saved-cards-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { formatMoney } from '../../rental/format.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { CardForm, type CardFormProps } from './card-form.tsx';
import classes from './cart.module.css';
import { lineKey, selectCart } from './cart-slice.ts';
import { type PaymentConfig, usePaymentConfigQuery } from './checkout-api.ts';
import { HoldCountdown } from './hold-countdown.tsx';
import { openStripe } from './open-stripe.ts';
import { type Due, holdExpired, type useCheckout, useCurrentHolds } from './use-checkout.ts';

export const chargedIfAccepted = 'You are charged only if the owner accepts.';

function useStripeJs(config: PaymentConfig | undefined) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry runs it again.
  useEffect(() => {
    if (!config) return;
    let stale = false;
    setFailed(false);
    openStripe(config).then(
      (opened) => stale || setStripe(opened),
      () => stale || setFailed(true),
    );
    return () => {
      stale = true;
    };
  }, [config, tries]);
  return { stripe, failed, retry: () => setTries((count) => count + 1) };
}

const couldNotLoad = {
  data: { message: 'The card form could not be loaded. Please check your connection.' },
};

export function CardArea({ checkout }: Pick<CardFormProps, 'checkout'>) {
  const { data: config, error, refetch } = usePaymentConfigQuery();
  // Without the saved cards, because they fail to load, the renter can still enter one.
  const { data: savedCards = [], isLoading } = useSavedCardsQuery(useUser()?.id ?? skipToken);
  const { stripe, failed, retry } = useStripeJs(config);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (failed) return <ErrorState error={couldNotLoad} onRetry={retry} />;
  if (!config || !stripe || isLoading) {
    return (
      <Stack aria-hidden>
        <Skeleton h={72} />
        <Skeleton h={50} />
      </Stack>
    );
  }
  return (
    <Elements stripe={stripe}>
      <CardForm checkout={checkout} isSandbox={config.scriptUrl !== null} savedCards={savedCards} />
    </Elements>
  );
}

function noteOf({ ifAccepted, payments }: Due): string {
  if (payments > 1) return `Your bank may ask you to confirm each of the ${payments} payments.`;
  return ifAccepted > 0 ? chargedIfAccepted : '';
}

/** What is charged at once and what only on acceptance, if the cart has tools on request. */
function Split({ now, ifAccepted }: Due) {
  if (ifAccepted === 0) return null;
  return (
    <dl className={classes.split}>
      <dt>Charged now</dt>
      <dd className="tabular">{formatMoney(now / 100)}</dd>
      <dt>Charged if the owner accepts</dt>
      <dd className="tabular">{formatMoney(ifAccepted / 100)}</dd>
    </dl>
  );
}

export function PayForm({ checkout }: { checkout: ReturnType<typeof useCheckout> }) {
  const holds = useCurrentHolds();
  const { cartItems: items } = useSelector(selectCart);
  const { due, payable } = checkout;
  const [firstToExpire] = holds.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  return (
    <section className={classes.pay} aria-label="Payment">
      <Stack gap="md">
        <Split {...due} />
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatMoney(payable / 100)}</span>
        </div>
        {firstToExpire && <HoldCountdown hold={firstToExpire} over={holdExpired} />}
        <CardArea checkout={{ ...checkout, note: noteOf(due) }} />
        {items.some(({ cancellation }) => cancellation) ? (
          items.map((item) => (
            <CancellationTerms
              key={lineKey(item)}
              policy={item.cancellation}
              tool={item}
              draft={item}
              {...(items.length > 1 && { name: item.name })}
            />
          ))
        ) : (
          <CancellationTerms />
        )}
        <Group gap={6} justify="center" c="dimmed">
          <IconLock size={15} aria-hidden />
          <Text size="sm">Secure payment by</Text>
          <Group gap={2} c="var(--ink)" fw={700}>
            <IconBrandStripe size={18} aria-hidden /> Stripe
          </Group>
        </Group>
      </Stack>
    </section>
  );
}
