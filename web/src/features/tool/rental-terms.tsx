import type { Terms, Tool } from '@lendtools/contracts';
import { weekdayName, weekdays } from '@lendtools/contracts/local-time';
import { timeInWords } from '@lendtools/contracts/rental-period';
import { countedPeriod } from '../../rental/booking-price.ts';

/** Groups weekdays with the same hours, for example `Monday, Tuesday: 8:00 AM to 6:00 PM`. */
function hoursInWords({ hours = {} }: Terms): string[] {
  const byHours = Map.groupBy(
    weekdays.filter((day) => hours[day] !== undefined),
    (day) => {
      const open = hours[day];
      return open ? `${timeInWords(open.from)} to ${timeInWords(open.to)}` : 'no pick-up or return';
    },
  );
  return [...byHours].map(([words, days]) => `${days.map(weekdayName).join(', ')}: ${words}.`);
}

function lengthInWords({ rental_circle: circle }: Tool, { shortest, longest }: Terms): string[] {
  if (shortest && longest) return [`Rented for ${shortest} to ${countedPeriod(circle, longest)}.`];
  if (shortest) return [`Rented for at least ${countedPeriod(circle, shortest)}.`];
  return longest ? [`Rented for at most ${countedPeriod(circle, longest)}.`] : [];
}

export function termsInWords(tool: Tool): string[] {
  const terms = tool.terms ?? {};
  const isOnRequest = terms.booking === 'request';
  const { discounts = [] } = terms;
  // A request always needs an hour's notice, for the owner to answer.
  const noticeHours = Math.max(terms.noticeHours ?? 0, isOnRequest ? 1 : 0);
  return [
    ...(isOnRequest
      ? [`${tool.user.first_name} accepts or declines each request within 24 hours.`]
      : []),
    ...lengthInWords(tool, terms),
    ...(noticeHours ? [`Book at least ${countedPeriod('hourly', noticeHours)} ahead.`] : []),
    ...discounts.map(({ days, percent }) => `${percent}% off from ${days} days on.`),
    ...hoursInWords(terms),
  ];
}

export default function RentalTerms({ tool }: { tool: Tool }) {
  return termsInWords(tool).map((sentence) => <div key={sentence}>{sentence}</div>);
}
