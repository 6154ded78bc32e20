import path from 'node:path';
import { createSandbox } from './app.ts';

const { env } = process;

function required(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is missing: see infra/stripe-sandbox/README.md`);
  return value;
}

const sandbox = await createSandbox({
  port: Number(env.PORT ?? 4242),
  host: env.HOST ?? '127.0.0.1',
  secretKey: required('STRIPE_SECRET_KEY'),
  publishableKey: required('STRIPE_PUBLISHABLE_KEY'),
  // While a secret is rotated, the setting lists several; the first one signs.
  webhookSecret: required('STRIPE_WEBHOOK_SECRET').split(',')[0] as string,
  webhookUrl: env.STRIPE_WEBHOOK_URL,
  connectWebhook: env.STRIPE_CONNECT_WEBHOOK_URL
    ? {
        url: env.STRIPE_CONNECT_WEBHOOK_URL,
        secret: required('STRIPE_CONNECT_WEBHOOK_SECRET').split(',')[0] as string,
      }
    : undefined,
  fundsDelaySeconds: Number(env.FUNDS_DELAY_SECONDS ?? 0),
  payoutDelayMs: Number(env.PAYOUT_DELAY_SECONDS ?? 60) * 1000,
  dataDir: path.resolve(required('DATA_DIR')),
});
console.log(JSON.stringify({ level: 'info', msg: 'stripe sandbox ready', url: sandbox.url }));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
