import { describe, expect, it } from '@jest/globals';
import { readConfig } from '@lendtools/service-kit';
import { config } from './config.ts';

const sandbox = 'http://127.0.0.1:4242';
const read = (settings: Record<string, string>) =>
  readConfig(config, {
    PUBLIC_URL: 'http://localhost:9000',
    AMQP_URL: 'amqp://localhost',
    ACCOUNTS_URL: 'http://localhost:3001',
    BOOKINGS_URL: 'http://localhost:3003',
    INTERNAL_SECRET: 'a secret that the services share',
    DATABASE_URL: 'postgres://localhost/payments',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    ...settings,
  });
const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
const https = { PUBLIC_URL: 'https://lendtools.example' };

describe('the configuration of the payments service', () => {
  it('accepts an old and a new secret during a rotation, but not an empty second one', () => {
    const [old, new_] = ['o', 'n'].map((letter) => letter.repeat(32));

    expect(
      read({ INTERNAL_SECRET: `${new_}, ${old}`, STRIPE_WEBHOOK_SECRET: 'a,b' }),
    ).toMatchObject({
      INTERNAL_SECRET: [new_, old],
      STRIPE_WEBHOOK_SECRET: ['a', 'b'],
    });
    expect(() => read({ INTERNAL_SECRET: `${new_},` })).toThrow(/INTERNAL_SECRET/);
  });

  it.each([
    ['the sandbox on this machine', { STRIPE_API_BASE: sandbox }],
    ['a restricted test key', { STRIPE_API_BASE: sandbox, STRIPE_SECRET_KEY: 'rk_test_1' }],
    ["Stripe's test mode on a public site", https],
    ['Stripe itself', { ...live, ...https }],
  ])('accepts the settings of %s', (_, settings) => {
    expect(read(settings)).toMatchObject(settings);
  });

  it.each([
    ['a live key', live, /STRIPE_SECRET_KEY: is no test key/],
    ['a live restricted key', { ...live, STRIPE_SECRET_KEY: 'rk_live_1' }, /is no test key/],
    ['a public site', https, /STRIPE_API_BASE: names a sandbox/],
    ['a live publishable key', { STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, /PUBLISHABLE_KEY: is of/],
  ])('rejects the sandbox with %s', (_, settings, words) => {
    expect(() => read({ ...settings, STRIPE_API_BASE: sandbox })).toThrow(words);
  });

  it('accepts a tax for receipts with its name and percentage only', () => {
    const tax = { RECEIPT_TAX_NAME: 'sales tax', RECEIPT_TAX_PERCENT: '8.25' };

    expect(read(tax)).toMatchObject({ RECEIPT_TAX_NAME: 'sales tax', RECEIPT_TAX_PERCENT: 8.25 });
    expect(() => read({ ...tax, RECEIPT_TAX_NAME: '' })).toThrow(/RECEIPT_TAX_NAME/);
    expect(() => read({ ...tax, RECEIPT_TAX_PERCENT: '' })).toThrow(/RECEIPT_TAX_PERCENT/);
    expect(() => read({ ...tax, RECEIPT_TAX_PERCENT: '-1' })).toThrow(/RECEIPT_TAX_PERCENT/);
  });

  it('rejects a live key of Stripe together with a test key', () => {
    expect(() => read({ STRIPE_SECRET_KEY: 'sk_live_1' })).toThrow(/another mode/);
  });
});
