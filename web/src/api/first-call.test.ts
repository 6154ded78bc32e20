import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fetchUnlessRequested } from './first-call.ts';

const url = 'https://lendtools.test/api/all-rentals?limit=20';
const early = new Response('early');

function requested(reply: Response | null = early) {
  window.firstCall = { url, reply: Promise.resolve(reply) };
}

let network: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  network = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('late'));
});
afterEach(() => {
  jest.restoreAllMocks();
  delete window.firstCall;
});

async function send(address = url, headers: HeadersInit = {}) {
  return fetchUnlessRequested(new Request(address, { headers }));
}

describe('fetchUnlessRequested', () => {
  it('uses the reply that the page fetched before the app loaded, but only once', async () => {
    requested();

    expect(await send()).toBe(early);
    expect(await (await send()).text()).toBe('late');
    expect(network).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['another address', 'https://lendtools.test/api/all-rentals?limit=20&q=drill', {}],
    ['a member', url, { authorization: 'Bearer token' }],
  ])('does not use the page’s early reply for %s', async (_, address, headers) => {
    requested();

    expect(await (await send(address, headers)).text()).toBe('late');
  });

  it('sends the request again if the page’s early request failed', async () => {
    requested(null);

    expect(await (await send()).text()).toBe('late');
  });

  it('drops the page’s early reply once it is older than a minute', async () => {
    requested();
    jest.spyOn(performance, 'now').mockReturnValue(60_001);

    expect(await (await send()).text()).toBe('late');
  });
});
