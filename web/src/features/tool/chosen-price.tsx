import type { ReactNode } from 'react';
import { quoteDraft } from '../../lib/booking-rules.ts';
import { datesInWords, formatMoney } from '../../lib/format.ts';
import classes from './booking-card.module.css';
import type { BookingFormProps } from './booking-form.tsx';
import { useChosen } from './use-chosen.ts';

type ChosenPriceProps = Omit<BookingFormProps, 'onChange'> & { children: ReactNode };

/** In the bar of a phone: what the chosen dates cost, and that they are only asked for; else what stands there without dates. */
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
