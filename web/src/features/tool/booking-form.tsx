import type { Tool } from '@lendtools/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useToolCalendar } from '../../api/availability-api.ts';
import { useUser } from '../../api/session-slice.ts';
import type { BookingDraft } from '../../rental/booking-draft.ts';
import { countedPeriod, countedPrice } from '../../rental/booking-price.ts';
import {
  checkDraft,
  type DraftErrors,
  needsTimes,
  quoteDraft,
} from '../../rental/booking-rules.ts';
import { formatMoney } from '../../rental/format.ts';
import { rentalInWords } from '../../rental/rental-words.ts';
import { CancellationTerms } from '../../ui/cancellation-terms.tsx';
import { QuantityField } from '../../ui/fields/quantity-field.tsx';
import { WhenFields } from '../../ui/when/when-fields.tsx';
import classes from './booking-form.module.css';
import { summaryAddress } from './summary-address.ts';
import { useChosen } from './use-chosen.ts';

export interface BookingFormProps {
  tool: Tool;
  /** The user's choice; null until it differs from the URL. */
  chosen: BookingDraft | null;
  onChange: (draft: BookingDraft) => void;
}

interface WholeFormProps extends BookingFormProps {
  calendarOpened?: boolean;
}

function PriceLines({ tool, draft }: { tool: Tool; draft: BookingDraft }) {
  const quote = quoteDraft(tool, draft);
  if (!quote) return null;
  return (
    <div className={classes.lines} aria-live="polite">
      <Text fw={650}>
        {rentalInWords(draft)}, {countedPeriod(tool.rental_circle, quote.period)},{' '}
        {formatMoney(quote.total, true)}
      </Text>
      <Group justify="space-between">
        <Text c="dimmed">
          {countedPrice(tool.rental_circle, {
            price: tool.price,
            period: quote.period,
            quantity: draft.quantity,
          })}
        </Text>
        <Text className="tabular">{formatMoney(quote.total + quote.discount)}</Text>
      </Group>
      {quote.percent > 0 && (
        <Group justify="space-between">
          <Text c="dimmed">{quote.percent}% off for a longer rental</Text>
          <Text className="tabular">−{formatMoney(quote.discount)}</Text>
        </Group>
      )}
      <Group justify="space-between" className={classes.total}>
        <Text fw={700}>Total</Text>
        <Text fw={700} fz="lg" className="tabular">
          {formatMoney(quote.total)}
        </Text>
      </Group>
    </div>
  );
}

export function BookingForm({ tool, chosen, onChange, calendarOpened }: WholeFormProps) {
  const draft = useChosen(tool, chosen);
  const navigate = useNavigate();
  const isMember = useUser() !== null;
  const withTimes = needsTimes(tool, isMember);
  const [tried, setTried] = useState(false);
  const { calendar, onLook } = useToolCalendar(tool, draft);
  const found = checkDraft(tool, draft, withTimes, calendar);
  // Show problems with the chosen dates at once, but missing fields only after an attempt to continue.
  const isChosen = Boolean(draft.start_date && draft.end_date);
  const errors: DraftErrors = tried || isChosen ? found : {};

  const proceed = () => {
    setTried(true);
    if (Object.keys(found).length > 0) return;
    void navigate(summaryAddress(tool, draft, isMember));
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        proceed();
      }}
    >
      <Stack gap="md">
        <WhenFields
          tool={tool}
          draft={draft}
          errors={errors}
          withTimes={withTimes}
          calendar={calendar}
          months={calendarOpened ? 1 : 2}
          onLook={onLook}
          opened={calendarOpened}
          onChange={onChange}
        />
        <QuantityField
          quantity={draft.quantity}
          most={tool.quantity}
          onChange={(quantity) => onChange({ ...draft, quantity })}
        />
        <PriceLines tool={tool} draft={draft} />
        <Button type="submit" size="lg" fullWidth>
          {tool.terms?.booking === 'request' ? 'Request To Book' : 'Proceed To Booking'}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {tool.terms?.booking === 'request'
            ? `You are charged only if ${tool.user.first_name} accepts`
            : 'You won’t be charged yet'}
        </Text>
        <CancellationTerms policy={tool.terms?.cancellation} tool={tool} draft={draft} />
      </Stack>
    </form>
  );
}
