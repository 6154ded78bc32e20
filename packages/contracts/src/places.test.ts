import { describe, expect, it } from '@jest/globals';
import { milesBetween, roundPlace } from './places.ts';

describe('roundPlace', () => {
  it.each([
    [45.52345, -122.67621],
    [64.83778, -147.71639],
    [21.30694, -157.85833],
    [0, 0],
    [-90, 180],
  ])('moves %d, %d by less than half a mile, and nearby points to the same point', (lat, lng) => {
    const rounded = roundPlace({ lat, lng });

    expect(milesBetween({ lat, lng }, rounded)).toBeLessThan(0.4);
    expect(roundPlace(rounded)).toEqual(rounded);
    const places = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const near = roundPlace({ lat: rounded.lat + i * 1e-4, lng: rounded.lng });
      places.add(JSON.stringify(near));
    }
    expect(places.size).toBe(1);
  });
});

describe('milesBetween', () => {
  it('computes the distance from Portland to Salem', () => {
    const miles = milesBetween({ lat: 45.52, lng: -122.68 }, { lat: 44.94, lng: -123.03 });

    expect(miles).toBeCloseTo(43.6, 0);
  });
});
