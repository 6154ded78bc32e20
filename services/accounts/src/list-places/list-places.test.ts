import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from '../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

describe('GET /api/places', () => {
  it('lists the states and the cities of one, to be cached', async () => {
    const states = await accounts.http.get('/api/places/states');
    const cities = await accounts.http.get('/api/places/states/or/cities');

    expect(states.body.states).toContainEqual({ code: 'OR', name: 'Oregon' });
    expect(cities.body.cities).toContainEqual({ name: 'Portland' });
    expect(cities.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it.each([
    ['ZZ', 404],
    ['Oregon', 400],
  ])('answers the state %s with %d', async (code, status) => {
    expect((await accounts.http.get(`/api/places/states/${code}/cities`)).status).toBe(status);
  });
});

describe('GET /api/images/people-:name', () => {
  it.each([
    [`${'0'.repeat(32)}-640.webp`, 404],
    ['..%2F..%2Fetc%2Fpasswd', 400],
    [`${'0'.repeat(32)}-641.webp`, 400],
  ])('answers %s with %d', async (name, status) => {
    expect((await accounts.http.get(`/api/images/people-${name}`)).status).toBe(status);
  });
});
