import { describe, expect, it } from '@jest/globals';
import { isCutShort, isDatabaseOutage } from './database-errors.ts';

const withCode = (code: string | number) => Object.assign(new Error('no'), { code });
const named = (name: string, code?: number) => Object.assign(new Error('no'), { name, code });

describe('a database error', () => {
  it.each([
    ...['08006', '25006', '28P01', '53100', '53200', '53300', '57P01', '57P03', '58030', '58P01'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EAI_AGAIN'],
    // NotWritablePrimary, OutOfDiskSpace, WriteConcernTimeout, UserWritesBlocked.
    ...[10_107, 14_031, 64, 371],
  ])('%s is an outage', (code) => {
    expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([true, false]);
  });

  it.each([
    'MongoNetworkTimeoutError',
    'MongoPoolClearedError',
    'MongoServerSelectionError',
    'MongooseServerSelectionError',
    'MongoWaitQueueTimeoutError',
    'MongoWriteConcernError',
  ])('%s is an outage of MongoDB', (name) => {
    expect(isDatabaseOutage(named(name))).toBe(true);
  });

  it.each(['57014', '55P03', '25P03', '53400', 24, 50, 262])(
    '%s ended only this work, which may itself be too slow',
    (code) => {
      expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([false, true]);
    },
  );

  it.each(['23505', '22P02', '42P01', '40001', 11_000, 121])(
    '%s is neither an outage nor a timeout',
    (code) => {
      expect([isDatabaseOutage(withCode(code)), isCutShort(withCode(code))]).toEqual([
        false,
        false,
      ]);
    },
  );
});
