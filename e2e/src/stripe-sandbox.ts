import { httpClient, type Reply } from '@lendtools/testing';
import { marketplace } from './marketplace.ts';

interface OfPayment {
  id: string;
  payment_intent: string;
}

export interface BalanceTransaction {
  amount: number;
  fee: number;
  net: number;
  reporting_category: string;
  source: string;
  /** The connected account whose balance moved; absent for the platform's. */
  sandbox_account?: string;
}

/** What the sandbox has stored, of which the tests read only these fields. */
export interface StripeBooks {
  paymentIntents: { id: string; status: string; amount: number; currency: string }[];
  charges: OfPayment[];
  refunds: (OfPayment & { amount: number; status: string })[];
  disputes: OfPayment[];
  transfers: {
    id: string;
    amount: number;
    amount_reversed: number;
    metadata: Record<string, string>;
  }[];
  reversals: { id: string; transfer: string }[];
  payouts: { amount: number; status: string }[];
  balanceTransactions: BalanceTransaction[];
  events: { id: string }[];
  deliveries: { event: string; delivered: boolean }[];
}

const sandbox = () => {
  const { apiBase, secretKey: token } = marketplace().stripe;
  return { client: httpClient(apiBase), token };
};

export const readBooks = async (): Promise<StripeBooks> => {
  const { client, token } = sandbox();
  return (await client.get('/sandbox/ledger', { token })).body;
};

/** Does what banks and Stripe decide, such as `/disputes` or `/accounts/acct_1/restrict`. */
export const controlSandbox = async (path: string, body: object = {}): Promise<Reply> => {
  const { client, token } = sandbox();
  const reply = await client.post(`/sandbox${path}`, { token, body });
  if (reply.status !== 200)
    throw new Error(`${path} answered ${reply.status}: ${reply.body.error?.message}`);
  return reply;
};
