import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { checkConnectEndpoint, checkOwnPayouts } from './check-surroundings.ts';

async function findingsOf(
  check: typeof checkConnectEndpoint,
  env: NodeJS.Dict<string>,
): Promise<string[]> {
  const found: string[] = [];
  await check(
    { name: 'payments', env },
    {
      fine: (says) => found.push(`fine: ${says}`),
      wrong: (says, todo) => found.push(`wrong: ${says}. ${todo}`),
    },
  );
  return found;
}

function checkWith(STRIPE_SECRET_KEY: string): Promise<string[]> {
  const env = { STRIPE_SECRET_KEY, PUBLIC_URL: 'https://tools.example' };
  return findingsOf(checkConnectEndpoint, env);
}

/** Checks against a Stripe whose account has this schedule. */
async function checkSchedule(
  STRIPE_SECRET_KEY: string,
  settings: object | undefined,
): Promise<string[]> {
  const stripe = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'acct_1', object: 'account', settings }));
  });
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve));
  const { port } = stripe.address() as AddressInfo;
  const env = { STRIPE_SECRET_KEY, STRIPE_API_BASE: `http://127.0.0.1:${port}` };
  const found = await findingsOf(checkOwnPayouts, env);
  stripe.closeAllConnections();
  await new Promise((resolve) => stripe.close(resolve));
  return found;
}

describe('the doctor’s check of the Connect endpoint', () => {
  it('requires its secret with a live key, and not with a test key', async () => {
    const [live, test] = [await checkWith('sk_live_1'), await checkWith('sk_test_1')];

    expect(live).toEqual([
      expect.stringMatching(
        /^wrong: STRIPE_CONNECT_WEBHOOK_SECRET is not set.*https:\/\/tools\.example\/api\/payment\/connect-webhook/,
      ),
    ]);
    expect(test).toEqual([
      expect.stringMatching(/^fine: STRIPE_CONNECT_WEBHOOK_SECRET is not set/),
    ]);
  });
});

describe('the doctor’s check of the operator’s own payouts', () => {
  const daily = { payouts: { schedule: { interval: 'daily' } } };

  it.each<[string, string, object | undefined, RegExp]>([
    [
      'manual ones',
      'sk_live_1',
      { payouts: { schedule: { interval: 'manual' } } },
      /^fine: .* only by hand$/,
    ],
    [
      'automatic ones',
      'sk_live_1',
      daily,
      /^wrong: .* automatically \(daily\).* Set the payout schedule/,
    ],
    ['automatic ones of test money', 'sk_test_1', daily, /^fine: .*Only test money moves$/],
    ['a schedule that it may not read', 'sk_live_1', undefined, /^fine: .* may not read/],
  ])('judges %s', async (_, key, settings, expected) => {
    expect(await checkSchedule(key, settings)).toEqual([expect.stringMatching(expected)]);
  });
});
