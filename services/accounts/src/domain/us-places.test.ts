import { describe, expect, it } from '@jest/globals';
import { UsPlaces } from './us-places.ts';

const places = new UsPlaces();

describe('UsPlaces', () => {
  it('lists the fifty states, the capital and Puerto Rico, sorted by name', () => {
    const names = places.states.map(({ name }) => name);

    expect(names).toHaveLength(52);
    expect(names).toEqual([...names].sort());
    expect(places.states).toContainEqual({ code: 'TX', name: 'Texas' });
  });

  it.each([
    ['TX', 'Austin', 'Texas', 'Austin'],
    ['texas', ' austin ', 'Texas', 'Austin'],
    ['NY', 'New York', 'New York', 'New York City'],
    ['Missouri', 'Saint Louis', 'Missouri', 'St. Louis'],
    ['CA', 'La Canada Flintridge', 'California', 'La Cañada Flintridge'],
    ['Hawaii', 'Aiea', 'Hawaii', '‘Aiea'],
  ])('finds the city %s, %s', (state, city, stateName, cityName) => {
    expect(places.find(state, city)).toMatchObject({ state: stateName, city: cityName });
  });

  it('distinguishes cities of the same name by their state', () => {
    expect(places.find('OR', 'Portland')).toMatchObject({ lat: 45.5234, lng: -122.6762 });
    expect(places.find('ME', 'Portland')).toMatchObject({ lat: 43.6574, lng: -70.2589 });
  });

  it.each([
    ['TX', 'Atlantis'],
    ['Bavaria', 'Austin'],
    ['TX', ''],
    ['', 'Austin'],
  ])('finds no city for %j, %j', (state, city) => {
    expect(places.find(state, city)).toBeUndefined();
  });

  it('lists the cities of a state in order, without duplicates', () => {
    const cities = places.citiesOf('tx') ?? [];

    expect(cities.length).toBeGreaterThan(1000);
    expect(new Set(cities).size).toBe(cities.length);
    expect(places.citiesOf('ZZ')).toBeUndefined();
  });
});
