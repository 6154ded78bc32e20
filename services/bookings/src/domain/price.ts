import type { Terms } from '@lendtools/contracts';
import type { Circle, RequestedPeriod } from '@lendtools/contracts/rental-period';
import { rentalPrice } from '@lendtools/contracts/rental-price';
import { toolIsYours, toolNotFound, toolUnavailable } from './errors.ts';
import { type RentalPeriod, rentalPeriod } from './period.ts';

/** This service's copy of a tool. */
export interface Tool {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  coverImage: string;
  priceCents: number;
  circle: Circle;
  status: 'Available' | 'Unavailable';
  units: number;
  timeZone: string;
  terms: Terms | null;
  removed: boolean;
  ownerDisabled: boolean;
  version: number;
}

export interface RequestedLine extends RequestedPeriod {
  toolId: string;
  quantity: number;
  wishedCode: string | null;
}

export interface PricedLine extends RentalPeriod {
  tool: Tool;
  quantity: number;
  wishedCode: string | null;
  discountCents: number;
  totalCents: number;
  /** The path of this line in the request, for errors. */
  path: string;
}

/** Stripe's smallest and largest charge in USD. */
export const smallestAmountCents = 50;
export const largestAmountCents = 99_999_999;

/** Prices a line for a renter. @throws AppError TOOL_NOT_FOUND, TOOL_IS_YOURS, TOOL_UNAVAILABLE, PERIOD_INVALID */
export const priceLine = (
  line: RequestedLine,
  tool: Tool | undefined,
  context: { renterId: string; now: Date; path: string },
): PricedLine => {
  const { path, now } = context;
  if (!tool || tool.removed) throw toolNotFound(path);
  if (tool.ownerId === context.renterId) throw toolIsYours(tool.name, path);
  if (tool.status !== 'Available') throw toolUnavailable(tool.name, path);
  const { circle, timeZone } = tool;
  const period = rentalPeriod(line, { circle, timeZone, now, path });
  const { discountCents, totalCents } = rentalPrice(tool.priceCents, {
    circle,
    period: period.period,
    quantity: line.quantity,
    discounts: tool.terms?.discounts,
  });
  return {
    ...period,
    tool,
    path,
    quantity: line.quantity,
    wishedCode: line.wishedCode,
    discountCents,
    totalCents,
  };
};
