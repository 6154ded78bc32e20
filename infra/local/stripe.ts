import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServerContext } from './home.ts';
import { nodeProcess } from './node-process.ts';

export interface Stripe {
  /** The URL of the sandbox; null for Stripe itself. */
  apiBase: string | null;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Signs events about owners' accounts; null if Stripe has no endpoint for them. */
  connectWebhookSecret: string | null;
  choice: string;
}

export async function startStripe(context: ServerContext, site: string): Promise<Stripe> {
  if (process.env.STRIPE_SECRET_KEY) return realStripe();
  const { secrets } = context;
  const keys = {
    secretKey: secrets.get('stripeSecretKey', () => `sk_test_${randomBytes(16).toString('hex')}`),
    publishableKey: secrets.get('stripePublishableKey', () => {
      return `pk_test_${randomBytes(16).toString('hex')}`;
    }),
    webhookSecret: secrets.get('stripeWebhookSecret', () => {
      return `whsec_${randomBytes(24).toString('hex')}`;
    }),
    connectWebhookSecret: secrets.get('stripeConnectWebhookSecret', () => {
      return `whsec_${randomBytes(24).toString('hex')}`;
    }),
  };
  const port = await context.ports.pick('stripe');
  const sandbox = nodeProcess(context, {
    name: 'stripe',
    replica: 1,
    port,
    main: 'infra/stripe-sandbox/src/main.ts',
    readyPath: '/v3/',
    env: {
      HOST: '127.0.0.1',
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_WEBHOOK_URL: `${site}/api/payment/webhook`,
      STRIPE_CONNECT_WEBHOOK_SECRET: keys.connectWebhookSecret,
      STRIPE_CONNECT_WEBHOOK_URL: `${site}/api/payment/connect-webhook`,
      DATA_DIR: join(context.home, 'stripe'),
    },
  });
  await context.supervisor.start(sandbox);
  return {
    ...keys,
    apiBase: `http://127.0.0.1:${port}`,
    choice: `the sandbox on port ${port}, no money moves`,
  };
}

function realStripe(): Stripe {
  const read = (name: string) => {
    const value = process.env[name];
    if (!value) throw new Error(`STRIPE_SECRET_KEY is set, so ${name} is needed as well`);
    return value;
  };
  return {
    apiBase: process.env.STRIPE_API_BASE ?? null,
    secretKey: read('STRIPE_SECRET_KEY'),
    publishableKey: read('STRIPE_PUBLISHABLE_KEY'),
    webhookSecret: read('STRIPE_WEBHOOK_SECRET'),
    connectWebhookSecret: process.env.STRIPE_CONNECT_WEBHOOK_SECRET ?? null,
    choice: 'Stripe, by STRIPE_SECRET_KEY',
  };
}
