import type { Booking } from '@lendtools/contracts';

/** Where a tool is picked up: the street as well, for those who may know it. */
export function pickUpPlace({ address, city, state }: Booking): string {
  return [address, city, state].filter(Boolean).join(', ');
}
