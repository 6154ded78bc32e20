import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marketplace } from '@lendtools/e2e/marketplace';
import { stripe } from '@lendtools/e2e/purchases';
import { addressOf, type Container } from './compose-stack.ts';

export interface Operator {
  settings: NodeJS.Dict<string>;
  set(changes: Record<string, string>): void;
  exec(server: string, ...command: string[]): Promise<string>;
  update(...services: string[]): Promise<void>;
  newSigningKey(): Promise<string>;
  /** Makes Stripe sign its events with these secrets, like a change in Stripe's dashboard. */
  rollWebhookSecret(...secrets: string[]): Promise<void>;
  callPayments(internalSecret: string): Promise<number>;
  deliver(webhookSecret: string): Promise<number>;
}

const json = { 'content-type': 'application/json' };
const post = async (url: string, headers: object, body: string): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body })).status;

export const operatorOf = ({
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
}): Operator => {
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
    async callPayments(secret) {
      const payments = `http://${addressOf(await containers(), 'payments')}:3000`;
      const url = `${payments}/internal/payments?since=${new Date().toISOString()}`;
      return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status;
    },
    deliver(secret) {
      // The payments service ignores this event type.
      const object = { object: 'plan', id: 'none' };
      const event = { id: 'evt_none', object: 'event', type: 'plan.created', created: 0 };
      const payload = JSON.stringify({ ...event, data: { object } });
      const signature = stripe().webhooks.generateTestHeaderString({ payload, secret });
      const url = `${marketplace().site}/api/payment/webhook`;
      return post(url, { 'stripe-signature': signature }, payload);
    },
  };
};
