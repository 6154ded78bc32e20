import type { Tool } from '@lendtools/contracts';

/** From this distance in miles on, the city alone is too vague, so the text adds the miles. */
const acrossTown = 5;

/** From this distance on, miles are rounded to whole ones. */
const acrossState = 100;

/**
 * A tool's place, with its distance if known. The distance is approximate if only the tool's city is known, and comes
 * first, because a narrow card truncates the end.
 */
export function placeWords({ distance, placeAccuracy, user }: Tool): string {
  if (distance === null) return user.city;
  if (placeAccuracy === 'city') {
    const about = distance < acrossTown ? '' : `about ${Math.round(distance)} mi, `;
    return `${about}in ${user.city}`;
  }
  if (distance < 0.5) return 'under 0.5 mi away';
  const miles = distance < acrossState ? distance : Math.round(distance).toLocaleString('en-US');
  return `${miles} mi away`;
}
