import type { Tool } from '@lendtools/contracts';

/** From here on even somebody at the other end of the city knows which city is meant by the miles. */
const acrossTown = 5;

/** From here on nobody counts half miles. */
const acrossState = 100;

/**
 * Where a tool is, for somebody who looks from a place: how far, if that is known. A tool with no more than a city may be
 * at any end of it, and says so.
 */
export function placeWords({ distance, placeAccuracy, user }: Tool): string {
  if (distance === null) return user.city;
  if (placeAccuracy === 'city') {
    const about = distance < acrossTown ? '' : `, about ${Math.round(distance)} mi`;
    return `in ${user.city}${about}`;
  }
  if (distance < 0.5) return 'under 0.5 mi away';
  const miles = distance < acrossState ? distance : Math.round(distance).toLocaleString('en-US');
  return `${miles} mi away`;
}
