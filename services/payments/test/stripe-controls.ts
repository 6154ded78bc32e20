import { httpClient, waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';

export const sandboxKeys = {
  secretKey: 'sk_test_payments',
  publishableKey: 'pk_test_payments',
  webhookSecret: 'whsec_payments',
  connectSecret: 'whsec_connect',
};

interface SandboxLedger {
  accounts: { id: string; metadata: Record<string, string> }[];
  customers: { id: string; metadata: Record<string, string>; sandbox_deleted?: boolean }[];
  paymentIntents: { id: string; status: string; metadata: Record<string, string> }[];
  charges: {
    captured: boolean;
    amount_captured: number;
    id: string;
    status: string;
    amount: number;
    amount_refunded: number;
    payment_intent: string;
  }[];
  refunds: { id: string; amount: number; payment_intent: string; status: string }[];
  events: {
    id: string;
    type: string;
    /** Only of Connect events. */
    account?: string;
    data: { object: { id: string; payment_intent?: string } };
  }[];
  deliveries: { event: string; delivered: boolean }[];
}

export const stripeControls = (sandboxUrl: string, stripe: Stripe) => {
  const controls = httpClient(sandboxUrl);
  const token = sandboxKeys.secretKey;
  return {
    fault: (fault: object) => controls.post('/sandbox/faults', { token, body: fault }),
    async failAuthentication(intentId: string) {
      await stripe.paymentIntents.confirm(intentId, {
        payment_method: 'pm_card_authenticationRequired',
      });
      const reply = await controls.post(`/sandbox/payment_intents/${intentId}/authenticate`, {
        token,
        body: { outcome: 'fail' },
      });
      return reply.body;
    },
    passAuthentication: (intentId: string) =>
      controls.post(`/sandbox/payment_intents/${intentId}/authenticate`, {
        token,
        body: { outcome: 'complete' },
      }),
    expireAtStripe: (intentId: string) =>
      controls.post(`/sandbox/payment_intents/${intentId}/expire`, {
        token,
      }),
    /** Signs Connect events, which otherwise wait. */
    signConnectEvents: () =>
      controls.post('/sandbox/webhook_secrets', {
        token,
        body: { secrets: [sandboxKeys.connectSecret], connect: true },
      }),
    /** Opens the onboarding page at the link, and ends it with the outcome: complete, pending, fail or leave. */
    async onboard(url: string, outcome: string, bank?: string): Promise<void> {
      await fetch(url);
      const headers = { 'content-type': 'application/json' };
      await fetch(url, { method: 'POST', headers, body: JSON.stringify({ outcome, bank }) });
    },
    restrict: (accountId: string, currentDeadline?: number) =>
      controls.post(`/sandbox/accounts/${accountId}/restrict`, {
        token,
        body: { ...(currentDeadline && { current_deadline: currentDeadline }) },
      }),
    clear: (accountId: string) => controls.post(`/sandbox/accounts/${accountId}/clear`, { token }),
    faultsLeft: async (): Promise<number> => {
      const { body } = await controls.get('/sandbox/faults', { token });
      return body.faults.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    },
    clearFaults: () => controls.delete('/sandbox/faults', { token }),
    ledger: async (): Promise<SandboxLedger> =>
      (await controls.get('/sandbox/ledger', { token })).body,
    /** Waits until all events about the platform are delivered. */
    allWebhooksDelivered: () =>
      waitFor('all webhooks', async () => {
        const { body } = await controls.get('/sandbox/ledger', { token });
        const { events, deliveries } = body as SandboxLedger;
        const delivered = new Set(
          deliveries.filter((one) => one.delivered).map((one) => one.event),
        );
        return events.every(({ id, account }) => account || delivered.has(id));
      }),
    /** Waits until all events of an intent are delivered, so that no late one overwrites what the test stores next. */
    webhooksDelivered: (intentId: string) =>
      waitFor('the webhooks', async () => {
        const { body } = await controls.get('/sandbox/ledger', { token });
        const { events, deliveries } = body as SandboxLedger;
        const delivered = new Set(
          deliveries.filter((one) => one.delivered).map((one) => one.event),
        );
        return events
          .filter(({ data: { object } }) => [object.id, object.payment_intent].includes(intentId))
          .every(({ id }) => delivered.has(id));
      }),
  };
};
