import { describe, expect, it } from '@jest/globals';
import { checkConnectEndpoint } from './check-surroundings.ts';

async function checkWith(STRIPE_SECRET_KEY: string): Promise<string[]> {
  const found: string[] = [];
  const env = { STRIPE_SECRET_KEY, PUBLIC_URL: 'https://tools.example' };
  await checkConnectEndpoint(
    { name: 'payments', env },
    {
      fine: (says) => found.push(`fine: ${says}`),
      wrong: (says, todo) => found.push(`wrong: ${says}. ${todo}`),
    },
  );
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
