import { inSpan, type Logger } from '@lendtools/service-kit';
import Stripe from 'stripe';
import { type Config, isTestKey } from '../config.ts';
import { providerUnavailable } from '../domain/errors.ts';

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

/** Adds a span per request. The trace context is not sent to Stripe. */
const tracedHttpClient = () => {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...request) => {
    const [, , path, method] = request;
    // Omit ids, to keep the number of span names small: `/v1/payment_intents`, not `/v1/payment_intents/pi_1`.
    const name = `Stripe ${method} ${path.split(/[/?]/, 3).join('/')}`;
    const attributes = { 'http.request.method': method, 'server.address': request[0] };
    return inSpan({ name, kind: 'client', attributes }, () => send(...request));
  };
  return client;
};

const isOutage = (error: unknown): boolean => {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
};

/** A 5xx reply, which Stripe may store under the idempotency key and replay for a day. */
export const isStoredFailure = (error: unknown): boolean => {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
};

/** Drops Stripe's reply, which may contain an intent and its client secret. */
export const withoutSecrets = (error: unknown): unknown => {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId, message } = error;
  return new Error(
    `Stripe: ${type} ${code ?? ''} ${statusCode ?? ''} ${requestId ?? ''} ${message}`,
  );
};

/** An outage of Stripe becomes a 503; a wrong key or request is our fault and stays a 500. */
export const rethrowOutage = (
  error: unknown,
  logger: Logger,
  unavailable = providerUnavailable,
): never => {
  if (!isOutage(error)) throw withoutSecrets(error);
  logger.warn({ err: withoutSecrets(error) }, 'a request to Stripe failed');
  throw unavailable();
};

/** The page of a payment in Stripe's dashboard. The sandbox has one page for all payments. */
export const dashboardUrlOf = (
  { STRIPE_API_BASE, STRIPE_SECRET_KEY }: Pick<Config, 'STRIPE_API_BASE' | 'STRIPE_SECRET_KEY'>,
  intentId: string,
): string => {
  if (STRIPE_API_BASE) return new URL('/dashboard', STRIPE_API_BASE).toString();
  const mode = isTestKey(STRIPE_SECRET_KEY) ? '/test' : '';
  return `https://dashboard.stripe.com${mode}/payments/${intentId}`;
};

/** Stripe returns a reference as an id or, if expanded, as an object. Empty if there is none. */
export const idOf = (reference: string | { id: string } | null): string =>
  (typeof reference === 'string' ? reference : reference?.id) ?? '';

/** Skips an object that was deleted: a retry could not succeed. */
export const undefinedIfGone = (error: unknown): undefined => {
  if ((error as { code?: string }).code === 'resource_missing') return undefined;
  throw error;
};
