import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readConfig, serviceEnv } from './config.ts';

const schema = z.object({ ...serviceEnv, HOLD_TTL_MINUTES: z.coerce.number().positive() });

describe('readConfig', () => {
  it('reports every problem at once without any value', () => {
    const read = () => readConfig(schema, { AMQP_URL: 'secret', HOLD_TTL_MINUTES: '-1', PORT: '' });

    expect(read).toThrow(/PUBLIC_URL: is missing/);
    expect(read).toThrow(/ACCOUNTS_URL: is missing/);
    expect(read).toThrow(/AMQP_URL: /);
    expect(read).toThrow(/HOLD_TTL_MINUTES: /);
    expect(read).not.toThrow(/secret/);
  });

  it('applies the defaults of settings that are not set', () => {
    const urls = { AMQP_URL: 'amqp://a', ACCOUNTS_URL: 'http://b', PUBLIC_URL: 'http://c' };

    expect(readConfig(schema, { ...urls, HOLD_TTL_MINUTES: '15' })).toMatchObject({
      PORT: 0,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      HOLD_TTL_MINUTES: 15,
    });
  });
});
