import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { judgeFailure } from './judge-failure.ts';

const replied = (statusCode: number) =>
  new Stripe.errors.StripeAPIError({ type: 'api_error', message: 'Something failed.', statusCode });

const judge = (failure: unknown) => judgeFailure(failure, { withoutSource: false });

describe('judgeFailure', () => {
  it('needs a fresh key after a 500, which Stripe stores under the key', () => {
    expect(judge(replied(500))).toBe('next-attempt');
  });

  it.each([502, 503, 504])(
    'keeps the key after a %i: Stripe may still execute the request',
    (statusCode) => {
      expect(judge(replied(statusCode))).toBe('unknown');
    },
  );
});
