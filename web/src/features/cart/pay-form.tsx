import { Alert, Button, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { IconBrandStripe, IconLock } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatMoney } from '../../rental/format.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { SendVerification } from '../../ui/verify-email.tsx';
import { CardField } from './card-field.tsx';
import classes from './cart.module.css';
import { lineDates } from './cart-items.tsx';
import { type CartItem, lineKey, selectCart } from './cart-slice.ts';
import { type PaymentConfig, usePaymentConfigQuery } from './checkout-api.ts';
import { paymentChosen } from './checkout-slice.ts';
import { HoldCountdown } from './hold-countdown.tsx';
import { useItemsToPay } from './items-to-pay.ts';
import { openStripe } from './open-stripe.ts';
import { holdExpired, type useCheckout, useCurrentHold } from './use-checkout.ts';

type Checkout = Pick<
  ReturnType<typeof useCheckout>,
  'pay' | 'payable' | 'isRequest' | 'step' | 'problem' | 'clearProblem'
>;

interface CardAreaProps {
  checkout: Checkout;
  requestWords?: string;
}

function CardForm({ checkout, requestWords, isSandbox }: CardAreaProps & { isSandbox: boolean }) {
  const stripe = useStripe();
  const elements = useElements();
  const [cardProblem, setCardProblem] = useState('');
  const { pay, payable, isRequest, step, problem, clearProblem } = checkout;

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
            {isRequest ? requestWords : 'PAY'} {formatMoney(payable / 100)}
          </Button>
          <Text size="sm" c="dimmed" ta="center" mt={step || isRequest ? 'xs' : 0} role="status">
            {step || (isRequest && 'You are charged only if the owner accepts.')}
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

export function CardArea({ checkout, requestWords = 'REQUEST TO BOOK' }: CardAreaProps) {
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
      <CardForm
        checkout={checkout}
        requestWords={requestWords}
        isSandbox={config.scriptUrl !== null}
      />
    </Elements>
  );
}

/** Lets the user choose what to pay first, because a tool on request is paid separately from the other lines. */
function ChoosePayment({ disabled }: { disabled: boolean }) {
  const { cartItems } = useSelector(selectCart);
  const paid = useItemsToPay();
  const dispatch = useDispatch();
  if (paid.length === cartItems.length) return null;
  const instant = cartItems.filter(({ onRequest }) => !onRequest);
  const [first] = paid;
  const isTwice = ({ id }: CartItem) => cartItems.filter((item) => item.id === id).length > 1;
  return (
    <Radio.Group
      label="What do you want to do first?"
      description="An owner who is asked first gets a request of its own. The rest stays in your cart."
      value={first?.onRequest ? lineKey(first) : ''}
      onChange={(key) => dispatch(paymentChosen(key || null))}
    >
      <Stack gap="xs" mt="xs">
        {instant.length > 0 && (
          <Radio
            value=""
            disabled={disabled}
            label={`Pay for ${instant.length === 1 ? instant[0]?.name : `${instant.length} tools`}`}
          />
        )}
        {cartItems
          .filter(({ onRequest }) => onRequest)
          .map((item) => (
            <Radio
              key={lineKey(item)}
              value={lineKey(item)}
              disabled={disabled}
              label={`Request ${item.name}${isTwice(item) ? `, ${lineDates(item)}` : ''}`}
            />
          ))}
      </Stack>
    </Radio.Group>
  );
}

export function PayForm({ checkout }: { checkout: Checkout }) {
  const hold = useCurrentHold();
  const items = useItemsToPay();
  return (
    <section className={classes.pay} aria-label="Payment">
      <Stack gap="md">
        <ChoosePayment disabled={checkout.step !== ''} />
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatMoney(checkout.payable / 100)}</span>
        </div>
        {hold && <HoldCountdown hold={hold} over={holdExpired(hold)} />}
        <CardArea checkout={checkout} />
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
