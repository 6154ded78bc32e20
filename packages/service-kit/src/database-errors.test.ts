import { describe, expect, it } from '@jest/globals';
import { isCutShort, isDatabaseOutage } from './database-errors.ts';

const withCode = (code: string | number) => Object.assign(new Error('no'), { code });
const named = (name: string, code?: number) => Object.assign(new Error('no'), { name, code });

describe('the classification of database errors', () => {
  it.each([
    ...['08006', '25006', '28P01', '53100', '53200', '53300', '57P01', '57P03', '58030', '58P01'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN'],
    ...[10_107, 14_031, 64, 371],
  ])('counts the error %s as an outage', (code) => {
    expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([true, false]);
  });

  it.each([
    'MongoNetworkTimeoutError',
    'MongoPoolClearedError',
    'MongoServerSelectionError',
    'MongooseServerSelectionError',
    'MongoWaitQueueTimeoutError',
    'MongoWriteConcernError',
  ])('counts the error %s as an outage of MongoDB', (name) => {
    expect(isDatabaseOutage(named(name))).toBe(true);
  });

  it.each(['57014', '55P03', '25P03', '53400', 24, 50, 262])(
    'counts the error %s as a timeout, not as an outage',
    (code) => {
      expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([false, true]);
    },
  );

  it.each(['23505', '22P02', '42P01', '40001', 11_000, 121])(
    'counts the error %s as neither an outage nor a timeout',
    (code) => {
      expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([
        false,
        false,
      ]);
    },
  );
});
