import { inSpan, type Logger } from '@lendtools/service-kit';
import Stripe from 'stripe';
import { type Config, isTestKey } from './config.ts';
import { providerUnavailable } from './errors.ts';

/** The real SDK, against Stripe or, if an address is given, against the sandbox. */
export const createStripe = (secretKey: string, apiBase: string | undefined): Stripe => {
  const httpClient = tracedHttpClient();
  const shared = { maxNetworkRetries: 2, timeout: 10_000, telemetry: false, httpClient } as const;
  if (!apiBase) return new Stripe(secretKey, shared);
  const { hostname, port, protocol } = new URL(apiBase);
  return new Stripe(secretKey, {
    ...shared,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
  });
};

/** The SDK's own, each of whose requests is a span of the trace under way; Stripe is not told of it. */
const tracedHttpClient = () => {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...request) => {
    const [, , path, method] = request;
    // Without the ids that follow: /v1/payment_intents.
    const name = `Stripe ${method} ${path.split(/[/?]/, 3).join('/')}`;
    const attributes = { 'http.request.method': method, 'server.address': request[0] };
    return inSpan({ name, kind: 'client', attributes }, () => send(...request));
  };
  return client;
};

/** True when a retry a moment later may succeed. */
const isOutage = (error: unknown): boolean => {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
};

/** A 5xx that Stripe did answer: it may be kept, and replayed, under the idempotency key for a day. */
export const isKeptFailure = (error: unknown): boolean => {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
};

/** An error without Stripe's reply, which may hold an intent and its client secret: fit for a log. */
export const withoutSecrets = (error: unknown): unknown => {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId, message } = error;
  return new Error(
    `Stripe: ${type} ${code ?? ''} ${statusCode ?? ''} ${requestId ?? ''} ${message}`,
  );
};

/** The error for a caller when Stripe fails; a wrong key or request is our fault and stays a 500. */
export const refuseOutage = (error: unknown, logger: Logger): never => {
  if (!isOutage(error)) throw withoutSecrets(error);
  logger.warn({ err: withoutSecrets(error) }, 'Stripe could not be asked');
  throw providerUnavailable();
};

/** Where an admin finds a payment: in Stripe's dashboard, or on the sandbox's page of all of them. */
export const dashboardUrlOf = (
  { STRIPE_API_BASE, STRIPE_SECRET_KEY }: Pick<Config, 'STRIPE_API_BASE' | 'STRIPE_SECRET_KEY'>,
  intentId: string,
): string => {
  if (STRIPE_API_BASE) return new URL('/dashboard', STRIPE_API_BASE).toString();
  const mode = isTestKey(STRIPE_SECRET_KEY) ? '/test' : '';
  return `https://dashboard.stripe.com${mode}/payments/${intentId}`;
};

/** The id of what Stripe names by its id or, where asked for, shows whole; empty where there is none. */
export const idOf = (reference: string | { id: string } | null): string =>
  (typeof reference === 'string' ? reference : reference?.id) ?? '';
