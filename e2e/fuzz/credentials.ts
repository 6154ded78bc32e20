import fc from 'fast-check';
import { mailedToken, marketplace } from '../src/marketplace.ts';
import { api, newPerson } from '../src/people.ts';
import { stripe } from '../src/purchases.ts';
import type { Pools } from './values.ts';

/** Values from an email, a cookie or Stripe, which the API document cannot provide. */
export interface Credentials {
  fields?: Pools;
  body?: fc.Arbitrary<unknown>;
  headers?: Record<string, string>;
}

const sources: Record<string, () => Promise<Credentials>> = {
  resetPassword: async () => {
    const { email } = await newPerson();
    await api().post('/api/request-password-token', { body: { email } });
    return { fields: { token: fc.constant(await mailedToken(email, 'reset-password')) } };
  },
  confirmEmail: async () => {
    const person = await newPerson();
    const [email, { id, token, password }] = [`new-${person.email}`, person];
    await api().put(`/api/update-account/${id}`, { token, body: { email, password } });
    return { fields: { token: fc.constant(await mailedToken(email, 'confirm-email')) } };
  },
  refreshToken: async () => {
    const { email, password } = await newPerson();
    const { headers } = await api().post('/api/login', { body: { email, password } });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return { headers: { cookie, 'x-requested-with': 'fuzz' } };
  },
  paymentWebhook: async () => {
    const { data } = await stripe().events.list({ limit: 50 });
    return { body: fc.constantFrom(...data) };
  },
  connectWebhook: async () => {
    const { data } = await stripe().accounts.list({ limit: 50 });
    const accounts = ['acct_unknown', ...data.map(({ id }) => id)];
    const event = { type: 'account.updated', created: Math.floor(Date.now() / 1_000) };
    const body = fc.record({
      id: fc.nat().map((n) => `evt_${n}`),
      account: fc.constantFrom(...accounts),
    });
    return { body: body.map((ids) => ({ ...event, ...ids })) };
  },
};

/** Creates credentials for one call, because most work only once. */
export const findCredentials = async (operation: string): Promise<Credentials> =>
  (await sources[operation]?.()) ?? {};

/** Signs a webhook's body, even a hostile one, so that it passes the signature check. */
export const sign = (operation: string, body: Buffer | undefined): Record<string, string> => {
  const { webhookSecret, connectWebhookSecret } = marketplace().stripe;
  const secrets = { paymentWebhook: webhookSecret, connectWebhook: connectWebhookSecret };
  const secret = secrets[operation as keyof typeof secrets];
  if (!secret || !body) return {};
  const payload = body.toString('utf8');
  return {
    'stripe-signature': stripe().webhooks.generateTestHeaderString({ payload, secret }),
  };
};
