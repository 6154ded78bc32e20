import { describe, expect, it } from '@jest/globals';
import {
  effects,
  judgeOutsideRefund,
  judgeRefund,
  type RefundStatus,
  refundStatusOf,
} from './refund.ts';

const statuses: RefundStatus[] = ['pending', 'succeeded', 'failed'];

describe('judgeRefund', () => {
  it('decides the effect of a refund’s latest try by its stored status and Stripe’s', () => {
    for (const stored of statuses) {
      for (const status of statuses) {
        const effect = judgeRefund({ status: stored, refundId: 're_1' }, { id: 're_1', status });
        expect(effect).toBe(effects[stored][status]);
      }
    }
  });

  it('completes and fails a refund only once', () => {
    expect(effects.succeeded.succeeded).toBe('keep');
    expect(effects.failed.failed).toBe('keep');
  });

  it.each([
    ['pending', 'await'],
    ['requires_action', 'await'],
    ['succeeded', 'complete'],
    ['failed', 'fail'],
    ['canceled', 'fail'],
  ])('judges the first or a later try that is %s at Stripe: %s', (status, effect) => {
    const given = { id: 're_2', status };

    expect(judgeRefund({ status: 'pending', refundId: null }, given)).toBe(effect);
    expect(judgeRefund({ status: 'failed', refundId: 're_1' }, given)).toBe(effect);
  });

  it('counts a refund that Stripe sent although it was voided', () => {
    const judge = (refundId: string | null, status: string) =>
      judgeRefund({ status: 'voided', refundId }, { id: 're_1', status });

    expect(['pending', 'succeeded', 'failed'].map((status) => judge(null, status))).toEqual([
      'await',
      'complete',
      'keep',
    ]);
    expect(statuses.map((status) => judge('re_1', status))).toEqual(['keep', 'keep', 'keep']);
  });

  it('ignores an older try of a refund', () => {
    for (const status of statuses) {
      const given = { id: 're_1', status };
      expect(judgeRefund({ status: 'pending', refundId: 're_2' }, given)).toBe('keep');
      expect(judgeRefund({ status: 'succeeded', refundId: 're_2' }, given)).toBe('keep');
    }
  });
});

describe('refundStatusOf', () => {
  it('treats an unknown status of a refund as pending', () => {
    expect([null, 'something_new'].map(refundStatusOf)).toEqual(['pending', 'pending']);
  });
});

describe('judgeOutsideRefund', () => {
  it.each([
    [null, 'pending', 'add'],
    [null, 'succeeded', 'add'],
    [null, 'failed', 'store'],
    ['pending', 'pending', 'keep'],
    ['pending', 'succeeded', 'store'],
    ['pending', 'failed', 'subtract'],
    ['succeeded', 'pending', 'keep'],
    ['succeeded', 'succeeded', 'keep'],
    ['succeeded', 'failed', 'subtract'],
    ['failed', 'pending', 'keep'],
    ['failed', 'succeeded', 'keep'],
    ['failed', 'failed', 'keep'],
  ] as const)(
    'judges a dashboard refund that is stored as %s and is %s at Stripe: %s',
    (stored, atStripe, effect) => {
      expect(judgeOutsideRefund(stored, atStripe)).toBe(effect);
    },
  );
});
