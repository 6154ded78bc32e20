import type { SavedCard } from '@lendtools/contracts';
import { Alert, Button, Checkbox, Stack, Text } from '@mantine/core';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useState } from 'react';
import { formatMoney } from '../../rental/format.ts';
import { hasExpired } from '../../ui/card-words.ts';
import { SendVerification } from '../../ui/verify-email.tsx';
import { anotherCard, CardChoice } from './card-choice.tsx';
import { CardField } from './card-field.tsx';
import type { useCheckout } from './use-checkout.ts';
import type { CheckoutProblem } from './use-paying.ts';

export interface CardFormProps {
  checkout: Pick<
    ReturnType<typeof useCheckout>,
    'pay' | 'payable' | 'step' | 'problem' | 'clearProblem'
  > & {
    /** Shown below the button. */
    note: string;
  };
  isSandbox: boolean;
  savedCards: SavedCard[];
}

/** The problems that are not the card's. */
function PaymentAlerts({ problem }: { problem: CheckoutProblem | null }) {
  return (
    <>
      {problem?.needsConfirmation && (
        <Alert color="orange" title="Please look again">
          {problem.text}
        </Alert>
      )}
      {problem?.title && (
        <Alert color="red" title={problem.title}>
          {problem.text}
        </Alert>
      )}
      {problem?.needsVerification && (
        <Alert color="orange" title="Please verify your email" role="alert">
          <Stack gap="sm">
            <Text size="sm">{problem.text}</Text>
            <SendVerification />
          </Stack>
        </Alert>
      )}
    </>
  );
}

/** The newest saved card is the first choice. Without one, the renter enters a card. */
function useChosenCard(savedCards: SavedCard[]) {
  const usable = savedCards.filter((card) => !hasExpired(card));
  const [choice, setChoice] = useState('');
  // A chosen card may have been removed meanwhile.
  const saved =
    choice === anotherCard ? undefined : (usable.find(({ id }) => id === choice) ?? usable[0]);
  return { usable, saved, setChoice };
}

interface NewCardProps {
  error: string;
  isSandbox: boolean;
  isPaying: boolean;
  isSaved: boolean;
  onChange: (error: string) => void;
  onSavedChange: (isSaved: boolean) => void;
}

function NewCard(props: NewCardProps) {
  const { error, isSandbox, isPaying, isSaved, onChange, onSavedChange } = props;
  return (
    <>
      <CardField error={error} disabled={isPaying} onChange={onChange} />
      {isSandbox && (
        <Text size="sm" c="dimmed">
          This is a trial marketplace: pay with 4242 4242 4242 4242, any future date, any CVC. No
          money moves.
        </Text>
      )}
      <Checkbox
        label="Save this card for next time"
        description="Stripe stores it. You can remove it in Settings."
        checked={isSaved}
        disabled={isPaying}
        onChange={(event) => onSavedChange(event.currentTarget.checked)}
      />
    </>
  );
}

export function CardForm({ checkout, isSandbox, savedCards }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [cardProblem, setCardProblem] = useState('');
  const [isSaved, setIsSaved] = useState(false);
  const { usable, saved, setChoice } = useChosenCard(savedCards);
  const { pay, payable, note, step, problem, clearProblem } = checkout;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!stripe) return;
    if (saved) return void pay({ stripe, savedId: saved.id });
    const element = elements?.getElement(CardElement);
    if (element) void pay({ stripe, element, isSaved });
  };
  const takeChange = (text: string) => {
    setCardProblem(text);
    if (problem && problem.line === undefined && !problem.needsConfirmation && !problem.title)
      clearProblem();
  };
  const choose = (value: string) => {
    setChoice(value);
    takeChange('');
  };
  const ofPayment = problem && problem.line === undefined ? problem : null;
  const inAlert = ofPayment?.needsConfirmation || ofPayment?.needsVerification || ofPayment?.title;
  const error = cardProblem || (ofPayment && !inAlert ? ofPayment.text : '');
  const isPaying = step !== '';

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PaymentAlerts problem={ofPayment} />
        {usable.length > 0 && (
          <CardChoice
            cards={usable}
            value={saved?.id ?? anotherCard}
            error={saved ? error : ''}
            disabled={isPaying}
            onChange={choose}
          />
        )}
        {!saved && (
          <NewCard
            error={error}
            isSandbox={isSandbox}
            isPaying={isPaying}
            isSaved={isSaved}
            onChange={takeChange}
            onSavedChange={setIsSaved}
          />
        )}
        <div>
          <Button type="submit" size="lg" fullWidth loading={isPaying} disabled={!stripe}>
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
