import { Button, UnstyledButton } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { useToolCalendar } from '../../api/availability-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { countedPeriod } from '../../rental/booking-price.ts';
import { checkDraft, needsTimes, quoteDraft } from '../../rental/booking-rules.ts';
import { formatMoney } from '../../rental/format.ts';
import { rentalInWords } from '../../rental/rental-words.ts';
import classes from './booking-card.module.css';
import type { BookingFormProps } from './booking-form.tsx';
import { summaryAddress } from './summary-address.ts';
import { useChosen } from './use-chosen.ts';

interface ChosenBarProps extends Omit<BookingFormProps, 'onChange'> {
  onEdit: () => void;
}

/** The chosen rental in a phone's bottom bar: a press on it changes it, and Continue leads to the summary. */
export default function ChosenBar({ tool, chosen, onEdit }: ChosenBarProps) {
  const draft = useChosen(tool, chosen);
  const navigate = useNavigate();
  const isMember = useUser() !== null;
  const { calendar } = useToolCalendar(tool, draft);
  const quote = quoteDraft(tool, draft);
  const problems = checkDraft(tool, draft, needsTimes(tool, isMember), calendar);
  const isReady = quote && Object.keys(problems).length === 0;
  const isOnRequest = tool.terms?.booking === 'request';
  return (
    <>
      <UnstyledButton className={classes.chosen} onClick={onEdit}>
        <strong className={classes.barTotal}>{formatMoney(quote?.total ?? tool.price)}</strong>
        <span className={classes.barNote}>
          {rentalInWords(draft)}
          {quote && `, ${countedPeriod(tool.rental_circle, quote.period)}`}
          {isOnRequest && ', on request'}
        </span>
      </UnstyledButton>
      <Button
        size="md"
        flex="none"
        onClick={() => {
          if (isReady) void navigate(summaryAddress(tool, draft, isMember));
          else onEdit();
        }}
      >
        Continue
      </Button>
    </>
  );
}
