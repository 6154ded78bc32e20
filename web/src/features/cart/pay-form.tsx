import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { IconBrandStripe, IconLock } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { SendVerification } from '../../ui/verify-email.tsx';
import { CardField } from './card-field.tsx';
import classes from './cart.module.css';
import { type PaymentConfig, usePaymentConfigQuery } from './checkout-api.ts';
import { HoldCountdown } from './hold-countdown.tsx';
import { openStripe } from './open-stripe.ts';
import { type useCheckout, useCurrentHold } from './use-checkout.ts';

type Checkout = ReturnType<typeof useCheckout>;

function CardForm({ checkout, isSandbox }: { checkout: Checkout; isSandbox: boolean }) {
  const stripe = useStripe();
  const elements = useElements();
  const [cardProblem, setCardProblem] = useState('');
  const { pay, payable, step, problem, forgetProblem } = checkout;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const element = elements?.getElement(CardElement);
    if (stripe && element) void pay({ stripe, element });
  };
  const takeChange = (text: string) => {
    setCardProblem(text);
    // What was said of the last card is no longer true of the next one.
    if (problem && problem.line === undefined && !problem.asksAgain) forgetProblem();
  };
  const ofPayment = problem && problem.line === undefined ? problem : null;

  const inAlert = ofPayment?.asksAgain || ofPayment?.asksToVerify;

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {ofPayment?.asksAgain && (
          <Alert color="orange" title="Please look again">
            {ofPayment.text}
          </Alert>
        )}
        {ofPayment?.asksToVerify && (
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
          <Text size="sm" c="dimmed" ta="center" mt={step ? 'xs' : 0} role="status">
            {step}
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another run.
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

function CardArea({ checkout }: { checkout: Checkout }) {
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

/** What is to be paid, and the card to pay it with. */
export function PayForm({ checkout }: { checkout: Checkout }) {
  const hold = useCurrentHold();
  return (
    <section className={classes.pay} aria-label="Payment">
      <Stack gap="md">
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatMoney(checkout.payable / 100)}</span>
        </div>
        {hold && <HoldCountdown hold={hold} />}
        <CardArea checkout={checkout} />
        <CancellationTerms />
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
