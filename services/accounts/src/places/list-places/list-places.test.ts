import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roundPlace } from '@lendtools/contracts';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

describe('GET /api/places', () => {
  it("lists the states and a state's cities with caching headers", async () => {
    const states = await accounts.http.get('/api/places/states');
    const cities = await accounts.http.get('/api/places/states/or/cities');

    expect(states.body.states).toContainEqual({ code: 'OR', name: 'Oregon' });
    expect(cities.body.cities).toContainEqual({ name: 'Portland' });
    expect(cities.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it.each([
    ['ZZ', 404],
    ['Oregon', 400],
  ])('replies to a request for the cities of %s with %d', async (code, status) => {
    expect((await accounts.http.get(`/api/places/states/${code}/cities`)).status).toBe(status);
  });
});

describe('GET /api/places/zips/:zip', () => {
  it('returns the place of a ZIP code, rounded to half a mile', async () => {
    const { status, body, headers } = await accounts.http.get('/api/places/zips/97202');

    expect(status).toBe(200);
    expect(body).toMatchObject({ zip: '97202', city: 'Portland', state: 'OR' });
    expect(roundPlace(body)).toEqual({ lat: body.lat, lng: body.lng });
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it.each(['00000', 'x', '..%2F..'])('rejects the ZIP code %s', async (zip) => {
    expect((await accounts.http.get(`/api/places/zips/${zip}`)).status).toBe(400);
  });
});

describe('GET /api/images/people-:name', () => {
  it.each([
    [`${'0'.repeat(32)}-640.webp`, 404],
    ['..%2F..%2Fetc%2Fpasswd', 400],
    [`${'0'.repeat(32)}-641.webp`, 400],
  ])('replies to the picture name %s with %d', async (name, status) => {
    expect((await accounts.http.get(`/api/images/people-${name}`)).status).toBe(status);
  });
});
