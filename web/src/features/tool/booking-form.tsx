import type { Tool } from '@lendtools/contracts';
import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { type BookingDraft, writeDraft } from '../../lib/booking-draft.ts';
import { countedPeriod } from '../../lib/booking-price.ts';
import { asksForTimes, checkDraft, type DraftErrors, quoteDraft } from '../../lib/booking-rules.ts';
import { formatMoney } from '../../lib/format.ts';
import { WhenFields } from '../../ui/when-fields.tsx';
import classes from './booking-form.module.css';

interface BookingFormProps {
  tool: Tool;
  draft: BookingDraft;
  onChange: (draft: BookingDraft) => void;
}

interface WholeFormProps extends BookingFormProps {
  /** Whether the calendar stands open at first. */
  calendarOpened?: boolean;
}

function QuantityField({ tool, draft, onChange }: BookingFormProps) {
  const { quantity } = draft;
  const set = (next: number) => onChange({ ...draft, quantity: next });
  return (
    <Group justify="space-between">
      <Input.Label component="span" size="md" mb={0} id="quantity-label">
        Quantity
        {tool.quantity > 1 && (
          <Text span size="sm" c="dimmed" fw={400}>
            {' '}
            of {tool.quantity}
          </Text>
        )}
      </Input.Label>
      <Group gap={4} role="group" aria-labelledby="quantity-label">
        <ActionIcon
          variant="default"
          className={classes.step}
          size={44}
          onClick={() => set(quantity - 1)}
          disabled={quantity <= 1}
          aria-label="One less"
        >
          <IconMinus size={18} />
        </ActionIcon>
        <Text w={40} ta="center" fw={650} className="tabular" aria-live="polite">
          {quantity}
        </Text>
        <ActionIcon
          variant="default"
          className={classes.step}
          size={44}
          onClick={() => set(quantity + 1)}
          disabled={quantity >= tool.quantity}
          aria-label="One more"
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** The price, worked out line by line as the dates are chosen. */
function PriceLines({ tool, draft }: Omit<BookingFormProps, 'onChange'>) {
  const quote = quoteDraft(tool, draft);
  if (!quote) return null;
  const unit = formatMoney(tool.price);
  return (
    <div className={classes.lines} aria-live="polite">
      <Group justify="space-between">
        <Text c="dimmed">
          {unit} × {countedPeriod(tool.rental_circle, quote.period)}
          {draft.quantity > 1 && ` × ${draft.quantity}`}
        </Text>
        <Text className="tabular">{formatMoney(quote.total)}</Text>
      </Group>
      <Group justify="space-between" className={classes.total}>
        <Text fw={700}>Total</Text>
        <Text fw={700} fz="lg" className="tabular">
          {formatMoney(quote.total)}
        </Text>
      </Group>
    </div>
  );
}

/** When, how many, and what it comes to. */
export function BookingForm({ tool, draft, onChange, calendarOpened }: WholeFormProps) {
  const navigate = useNavigate();
  const isMember = useUser() !== null;
  const withTimes = asksForTimes(tool, isMember);
  const [tried, setTried] = useState(false);
  const errors: DraftErrors = tried ? checkDraft(tool, draft, withTimes) : {};

  const proceed = () => {
    setTried(true);
    if (Object.keys(checkDraft(tool, draft, withTimes)).length > 0) return;
    const base = isMember ? '/user/rental-booking-summary' : '/rental-booking-summary';
    void navigate(`${base}?${writeDraft(tool.id, draft)}`);
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
          opened={calendarOpened}
          onChange={onChange}
        />
        <QuantityField tool={tool} draft={draft} onChange={onChange} />
        <PriceLines tool={tool} draft={draft} />
        <Button type="submit" size="lg" fullWidth>
          Proceed To Booking
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          You won’t be charged yet
        </Text>
      </Stack>
    </form>
  );
}
