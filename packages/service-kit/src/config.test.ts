import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readConfig, serviceEnv } from './config.ts';

const schema = z.object({ ...serviceEnv, MAIL_DELAY_SECONDS: z.coerce.number().positive() });

describe('readConfig', () => {
  it('reports every problem at once, and shows no values', () => {
    const read = () =>
      readConfig(schema, { AMQP_URL: 'secret', MAIL_DELAY_SECONDS: '-1', PORT: '' });

    expect(read).toThrow(/PUBLIC_URL: is missing/);
    expect(read).toThrow(/ACCOUNTS_URL: is missing/);
    expect(read).toThrow(/AMQP_URL: /);
    expect(read).toThrow(/MAIL_DELAY_SECONDS: /);
    expect(read).not.toThrow(/secret/);
  });

  it('applies the defaults of settings that are not set', () => {
    const urls = { AMQP_URL: 'amqp://a', ACCOUNTS_URL: 'http://b', PUBLIC_URL: 'http://c' };

    expect(readConfig(schema, { ...urls, MAIL_DELAY_SECONDS: '15' })).toMatchObject({
      PORT: 0,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      MAIL_DELAY_SECONDS: 15,
    });
  });
});
