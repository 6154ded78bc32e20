import type { Tool } from '@lendtools/contracts';

/** From this distance on, the city alone is too vague, so miles are added. */
const acrossTown = 5;

/** From this distance on, miles are rounded to whole ones. */
const acrossState = 100;

/**
 * The tool's place as seen from the reader's: the distance if it is known. If only the tool's city is known, the distance
 * is approximate, and the text says so.
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
