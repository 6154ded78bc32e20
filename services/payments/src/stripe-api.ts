import { inSpan, type Logger } from '@lendtools/service-kit';
import Stripe from 'stripe';
import { type Config, isTestKey } from './config.ts';
import { providerUnavailable } from './errors.ts';

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

/** The SDK's HTTP client with a span per request. The trace context is not sent to Stripe. */
const tracedHttpClient = () => {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...request) => {
    const [, , path, method] = request;
    // Cuts the ids off, to keep the number of span names small: /v1/payment_intents.
    const name = `Stripe ${method} ${path.split(/[/?]/, 3).join('/')}`;
    const attributes = { 'http.request.method': method, 'server.address': request[0] };
    return inSpan({ name, kind: 'client', attributes }, () => send(...request));
  };
  return client;
};

/** Whether a retry may succeed. */
const isOutage = (error: unknown): boolean => {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
};

/** A 5xx reply from Stripe, which may store it under the idempotency key and replay it for a day. */
export const isKeptFailure = (error: unknown): boolean => {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
};

/** Makes an error safe to log: drops Stripe's reply, which may contain an intent and its client secret. */
export const withoutSecrets = (error: unknown): unknown => {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId, message } = error;
  return new Error(
    `Stripe: ${type} ${code ?? ''} ${statusCode ?? ''} ${requestId ?? ''} ${message}`,
  );
};

/** Turns an outage of Stripe into a 503; a wrong key or request is our fault and stays a 500. */
export const refuseOutage = (error: unknown, logger: Logger): never => {
  if (!isOutage(error)) throw withoutSecrets(error);
  logger.warn({ err: withoutSecrets(error) }, 'a request to Stripe failed');
  throw providerUnavailable();
};

/** The payment's page in Stripe's dashboard, or the sandbox's dashboard, which lists all payments. */
export const dashboardUrlOf = (
  { STRIPE_API_BASE, STRIPE_SECRET_KEY }: Pick<Config, 'STRIPE_API_BASE' | 'STRIPE_SECRET_KEY'>,
  intentId: string,
): string => {
  if (STRIPE_API_BASE) return new URL('/dashboard', STRIPE_API_BASE).toString();
  const mode = isTestKey(STRIPE_SECRET_KEY) ? '/test' : '';
  return `https://dashboard.stripe.com${mode}/payments/${intentId}`;
};

/** The id of a reference, which Stripe returns as an id or, if expanded, as an object; empty if there is none. */
export const idOf = (reference: string | { id: string } | null): string =>
  (typeof reference === 'string' ? reference : reference?.id) ?? '';
