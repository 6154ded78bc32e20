import type { ReactNode } from 'react';
import { quoteDraft } from '../../rental/booking-rules.ts';
import { datesInWords, formatMoney } from '../../rental/format.ts';
import classes from './booking-card.module.css';
import type { BookingFormProps } from './booking-form.tsx';
import { useChosen } from './use-chosen.ts';

type ChosenPriceProps = Omit<BookingFormProps, 'onChange'> & { children: ReactNode };

/** The price of the chosen dates in a phone's bottom bar; without dates, the children. */
export default function ChosenPrice({ tool, chosen, children }: ChosenPriceProps) {
  const draft = useChosen(tool, chosen);
  const quote = quoteDraft(tool, draft);
  if (!quote) return children;
  const isOnRequest = tool.terms?.booking === 'request';
  return (
    <div>
      <strong className={classes.barTotal}>{formatMoney(quote.total)}</strong>
      <div className={classes.barNote}>
        {datesInWords(draft)}
        {isOnRequest && ', on request'}
      </div>
    </div>
  );
}
