import { describe, expect, it } from '@jest/globals';
import { milesBetween } from '@lendtools/contracts';
import { UsPlaces } from './us-places.ts';
import { UsZips } from './us-zips.ts';

const zips = new UsZips();

describe('UsZips', () => {
  it.each([
    ['97202', 'Portland', 'OR'],
    ['00601', 'Adjuntas', 'PR'],
    ['99701', 'Fairbanks', 'AK'],
    ['96813', 'Honolulu', 'HI'],
  ])('finds the ZIP code %s in %s, %s, near that city', (zip, city, state) => {
    const found = zips.find(zip);
    const center = new UsPlaces().find(state, city);

    expect(found).toMatchObject({ zip, city, state });
    expect(found && center && milesBetween(found, center)).toBeLessThan(10);
  });

  it.each(['00000', '9720', '972020', '', '97202\t', '.....'])(
    'finds no ZIP code for %j',
    (zip) => {
      expect(zips.find(zip)).toBeUndefined();
    },
  );
});
