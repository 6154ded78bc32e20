import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fetchUnlessRequested } from './first-call.ts';

const url = 'https://lendtools.test/api/all-rentals?limit=20';
const early = new Response('early');
const asked = (reply: Response | null = early) => {
  window.firstCall = { url, reply: Promise.resolve(reply) };
};

let network: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  network = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('late'));
});
afterEach(() => {
  jest.restoreAllMocks();
  delete window.firstCall;
});

const send = async (address = url, headers: HeadersInit = {}) =>
  fetchUnlessRequested(new Request(address, { headers }));

describe('the reply that the page requested before the app loaded', () => {
  it('uses the early reply, which the page fetched before the app loaded, only once', async () => {
    asked();

    expect(await send()).toBe(early);
    expect(await (await send()).text()).toBe('late');
    expect(network).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['another address', 'https://lendtools.test/api/all-rentals?limit=20&q=drill', {}],
    ['a member', url, { authorization: 'Bearer token' }],
  ])('does not use the page’s early reply for %s', async (_, address, headers) => {
    asked();

    expect(await (await send(address, headers)).text()).toBe('late');
  });

  it('sends the request again if the page’s early one failed', async () => {
    asked(null);

    expect(await (await send()).text()).toBe('late');
  });

  it('drops the page’s early reply once it is older than a minute', async () => {
    asked();
    jest.spyOn(performance, 'now').mockReturnValue(60_001);

    expect(await (await send()).text()).toBe('late');
  });
});
