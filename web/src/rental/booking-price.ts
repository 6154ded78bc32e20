import type { Terms, Tool } from '@lendtools/contracts';
import { rentalPrice } from '@lendtools/contracts/rental-price';
import { formatMoney } from './format.ts';

export type RentalCircle = Tool['rental_circle'];

export interface BookingTimes {
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
}

interface PricedRental {
  price: number;
  rental_circle: RentalCircle;
  period: number;
  quantity: number;
  discounts?: Terms['discounts'];
}

/** Price × period × quantity minus the length discount, in dollars; computed in cents to avoid rounding errors. */
export function paymentDue({ price, rental_circle: circle, ...rental }: PricedRental) {
  const found = rentalPrice(Math.round(price * 100), { ...rental, circle });
  return {
    total: found.totalCents / 100,
    discount: found.discountCents / 100,
    percent: found.percent,
  };
}

export function periodLabel(circle: RentalCircle): 'Hours' | 'Days' {
  return circle === 'hourly' ? 'Hours' : 'Days';
}

/** Formats a period as `3 days` or `1 hour`. */
export function countedPeriod(circle: RentalCircle, period: number): string {
  const word = circle === 'hourly' ? 'hour' : 'day';
  return `${period} ${word}${period === 1 ? '' : 's'}`;
}

/** Formats the factors of a price as `$12.00 × 3 days × 2`; omits a quantity of one. */
export function countedPrice(
  circle: RentalCircle,
  { price, period, quantity }: { price: number; period: number; quantity: number },
): string {
  const units = quantity > 1 ? ` × ${quantity}` : '';
  return `${formatMoney(price)} × ${countedPeriod(circle, period)}${units}`;
}
