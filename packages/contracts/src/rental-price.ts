import type { Circle } from './rental-period.ts';

/** The price in cents, as documented: price x period x quantity, less the largest discount for the length. */
export const rentalPrice = (
  priceCents: number,
  rental: {
    period: number;
    quantity: number;
    circle: Circle;
    discounts?: readonly { days: number; percent: number }[] | undefined;
  },
): { percent: number; discountCents: number; totalCents: number } => {
  const { period, quantity, circle, discounts = [] } = rental;
  const fullCents = priceCents * period * quantity;
  const days = circle === 'hourly' ? period / 24 : period;
  const percent = Math.max(0, ...discounts.map((one) => (one.days <= days ? one.percent : 0)));
  const discountCents = Math.round((fullCents * percent) / 100);
  return { percent, discountCents, totalCents: fullCents - discountCents };
};
