import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marketplace } from '@lendtools/e2e/marketplace';
import { stripe } from '@lendtools/e2e/purchases';
import { addressOf, type Container } from './compose-stack.ts';

/** An operator's actions and checks on a running marketplace. */
export interface Operator {
  settings: NodeJS.Dict<string>;
  set(changes: Record<string, string>): void;
  exec(server: string, ...command: string[]): Promise<string>;
  update(...services: string[]): Promise<void>;
  newSigningKey(): Promise<string>;
  /** Signs events with these secrets from now on, as after rolling the secret in Stripe's dashboard. */
  rollWebhookSecret(...secrets: string[]): Promise<void>;
  /** Calls payments like bookings does; resolves with the HTTP status. */
  askPayments(internalSecret: string): Promise<number>;
  /** Delivers an event like Stripe does; resolves with the HTTP status. */
  deliver(webhookSecret: string): Promise<number>;
}

const json = { 'content-type': 'application/json' };
const post = async (url: string, headers: object, body: string): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body })).status;

export function operatorOf({
  envFile,
  settings,
  run,
  compose,
  containers,
}: {
  envFile: string;
  settings: NodeJS.Dict<string>;
  run(command: string, ...args: string[]): Promise<string>;
  compose(...args: string[]): Promise<string>;
  containers(): Promise<Container[]>;
}): Operator {
  return {
    settings,
    set(changes) {
      const lines = readFileSync(envFile, 'utf8').split('\n');
      const others = lines.filter((line) => !((line.split('=')[0] as string) in changes));
      const changed = Object.entries(changes).map(([name, value]) => `${name}='${value}'`);
      writeFileSync(envFile, [...others, ...changed, ''].join('\n'));
      Object.assign(settings, changes);
    },
    exec: (server, ...command) => compose('exec', '-T', server, ...command),
    async update(...services) {
      await run(join('infra', 'compose', 'rolling-update.sh'), ...services);
    },
    newSigningKey: () => run('npm', 'run', '--silent', 'signing-keys', '--', 'new'),
    async rollWebhookSecret(...secrets) {
      const { apiBase, secretKey } = marketplace().stripe;
      const headers = { authorization: `Bearer ${secretKey}` };
      const url = `${apiBase}/sandbox/webhook_secrets`;
      const status = await post(url, headers, JSON.stringify({ secrets }));
      if (status !== 200) throw new Error(`The sandbox answered ${status}`);
    },
    async askPayments(secret) {
      const payments = `http://${addressOf(await containers(), 'payments')}:3000`;
      const url = `${payments}/internal/payments?since=${new Date().toISOString()}`;
      return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status;
    },
    deliver(secret) {
      // An event type that payments ignores.
      const object = { object: 'plan', id: 'none' };
      const event = { id: 'evt_none', object: 'event', type: 'plan.created', created: 0 };
      const payload = JSON.stringify({ ...event, data: { object } });
      const signature = stripe().webhooks.generateTestHeaderString({ payload, secret });
      const url = `${marketplace().site}/api/payment/webhook`;
      return post(url, { 'stripe-signature': signature }, payload);
    },
  };
}
