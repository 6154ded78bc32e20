import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { IconBrandStripe, IconLock } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { formatMoney } from '../../rental/format.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { SendVerification } from '../../ui/verify-email.tsx';
import { CardField } from './card-field.tsx';
import classes from './cart.module.css';
import { lineKey, selectCart } from './cart-slice.ts';
import { type PaymentConfig, usePaymentConfigQuery } from './checkout-api.ts';
import { HoldCountdown } from './hold-countdown.tsx';
import { openStripe } from './open-stripe.ts';
import { type Due, holdExpired, type useCheckout, useCurrentHolds } from './use-checkout.ts';

interface CardAreaProps {
  checkout: Pick<
    ReturnType<typeof useCheckout>,
    'pay' | 'payable' | 'step' | 'problem' | 'clearProblem'
  > & {
    /** Shown below the button. */
    note: string;
  };
}

export const chargedIfAccepted = 'You are charged only if the owner accepts.';

function CardForm({ checkout, isSandbox }: CardAreaProps & { isSandbox: boolean }) {
  const stripe = useStripe();
  const elements = useElements();
  const [cardProblem, setCardProblem] = useState('');
  const { pay, payable, note, step, problem, clearProblem } = checkout;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const element = elements?.getElement(CardElement);
    if (stripe && element) void pay({ stripe, element });
  };
  const takeChange = (text: string) => {
    setCardProblem(text);
    if (problem && problem.line === undefined && !problem.needsConfirmation && !problem.title)
      clearProblem();
  };
  const ofPayment = problem && problem.line === undefined ? problem : null;

  const inAlert = ofPayment?.needsConfirmation || ofPayment?.needsVerification || ofPayment?.title;

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {ofPayment?.needsConfirmation && (
          <Alert color="orange" title="Please look again">
            {ofPayment.text}
          </Alert>
        )}
        {ofPayment?.title && (
          <Alert color="red" title={ofPayment.title}>
            {ofPayment.text}
          </Alert>
        )}
        {ofPayment?.needsVerification && (
          <Alert color="orange" title="Please verify your email" role="alert">
            <Stack gap="sm">
              <Text size="sm">{ofPayment.text}</Text>
              <SendVerification />
            </Stack>
          </Alert>
        )}
        <CardField
          error={cardProblem || (ofPayment && !inAlert ? ofPayment.text : '')}
          disabled={step !== ''}
          onChange={takeChange}
        />
        {isSandbox && (
          <Text size="sm" c="dimmed">
            This is a trial marketplace: pay with 4242 4242 4242 4242, any future date, any CVC. No
            money moves.
          </Text>
        )}
        <div>
          <Button type="submit" size="lg" fullWidth loading={step !== ''} disabled={!stripe}>
            PAY {formatMoney(payable / 100)}
          </Button>
          <Text size="sm" c="dimmed" ta="center" mt={step || note ? 'xs' : 0} role="status">
            {step || note}
          </Text>
        </div>
      </Stack>
    </form>
  );
}

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

export function CardArea({ checkout }: CardAreaProps) {
  const { data: config, error, refetch } = usePaymentConfigQuery();
  const { stripe, failed, retry } = useStripeJs(config);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (failed) return <ErrorState error={couldNotLoad} onRetry={retry} />;
  if (!config || !stripe) {
    return (
      <Stack aria-hidden>
        <Skeleton h={72} />
        <Skeleton h={50} />
      </Stack>
    );
  }
  return (
    <Elements stripe={stripe}>
      <CardForm checkout={checkout} isSandbox={config.scriptUrl !== null} />
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
