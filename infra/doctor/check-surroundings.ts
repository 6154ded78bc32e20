import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { routes, serviceNames } from '@lendtools/contracts';
import { createTransport } from 'nodemailer';
import Stripe from 'stripe';
import { isTestKey } from '../../services/payments/src/config.ts';
import { createStripe } from '../../services/payments/src/stripe/stripe-api.ts';
import {
  accountTypes,
  intentTypes,
  outsideTypes,
  payoutTypes,
} from '../../services/payments/src/stripe/stripe-event-types.ts';
import { patienceMs, placeOf, reasonOf, type Say, type Subject } from './finding.ts';

export async function checkWebApp({ env }: Subject, say: Say): Promise<void> {
  const page = join(env.WEB_DIST as string, 'index.html');
  await access(page).then(
    () => say.fine(page),
    () => say.wrong(`${page} does not exist`, 'Run `npm run build --workspace web`.'),
  );
}

export async function checkServices({ env }: Subject, say: Say): Promise<void> {
  for (const name of serviceNames) {
    for (const url of env[`${name.toUpperCase()}_URL`]?.split(',') ?? []) {
      try {
        const reply = await get(`${url.trim()}/readyz`);
        const { reason, degraded } = (await reply.json()) as { reason?: string; degraded?: string };
        if (!reply.ok || degraded)
          say.wrong(
            `${name} at ${placeOf(url)} reports: ${degraded ?? reason}`,
            `See the findings of ${name}.`,
          );
        else say.fine(`${name} at ${placeOf(url)}`);
      } catch (error) {
        say.wrong(`${name} at ${placeOf(url)} ${reasonOf(error)}`, `Start ${name}.`);
      }
    }
  }
}

/** Calls another service with the secret that the bookings, payments and notifications services share. */
export async function checkInternalSecret({ name, env }: Subject, say: Say): Promise<void> {
  const [other, path] =
    name === 'payments' ? ['bookings', '/internal/refunds'] : ['payments', '/internal/payments'];
  const [url = ''] = env[`${other.toUpperCase()}_URL`]?.split(',') ?? [];
  // Send the first secret, as the service does: during a rotation the setting lists several.
  const authorization = `Bearer ${env.INTERNAL_SECRET?.split(',')[0]?.trim()}`;
  const reply = await get(`${url.trim()}${path}`, { authorization }).catch(() => null);
  if (reply?.status === 401)
    say.wrong(`${other} rejects INTERNAL_SECRET`, `Set the same one for ${name} and ${other}.`);
  else if (reply) say.fine(`${other} accepts it`);
}

function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) });
}

export async function checkMail({ env }: Subject, say: Say): Promise<void> {
  const url = env.SMTP_URL as string;
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
  });
  try {
    await transport.verify();
    say.fine(`the mail server at ${placeOf(url)}`);
  } catch (error) {
    const { code } = error as { code?: string };
    const reason =
      code === 'EAUTH' ? 'rejects the user or the password' : reasonOf(afterPrefix(error));
    say.wrong(`the mail server at ${placeOf(url)} ${reason}`, 'Start it, or correct SMTP_URL.');
  } finally {
    transport.close();
  }
}

/** Reads the system's error code from the message, because Nodemailer replaces the code with ESOCKET. */
function afterPrefix(error: unknown): unknown {
  const { message } = error as Error;
  const code = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b/.exec(message)?.[1];
  return code ? { code, message } : error;
}

const patience = { maxNetworkRetries: 0, timeout: patienceMs };

function stripeOf({ STRIPE_SECRET_KEY, STRIPE_API_BASE }: Subject['env']) {
  return {
    stripe: createStripe(STRIPE_SECRET_KEY as string, STRIPE_API_BASE || undefined),
    whom: STRIPE_API_BASE ? `the Stripe sandbox at ${placeOf(STRIPE_API_BASE)}` : 'Stripe',
  };
}

export async function checkStripe({ env }: Subject, say: Say): Promise<void> {
  const { stripe, whom } = stripeOf(env);
  try {
    await stripe.paymentIntents.list({ limit: 1 }, patience);
    say.fine(whom);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      say.wrong(`${whom} rejects STRIPE_SECRET_KEY`, "Copy the key again from Stripe's dashboard.");
    else
      say.wrong(
        `${whom} does not answer`,
        'Is this machine allowed to connect out? See https://status.stripe.com.',
      );
  }
}

/** An endpoint that Stripe must have. */
interface Endpoint {
  path: string;
  types: readonly string[];
  secret: string;
}

export function checkWebhookEndpoint(subject: Subject, say: Say): Promise<void> {
  const { path } = routes.paymentWebhook;
  const types = [...intentTypes, ...outsideTypes];
  return checkEndpoint(subject, say, { path, types, secret: 'STRIPE_WEBHOOK_SECRET' });
}

/** Checks the endpoint for owners' accounts. A live marketplace needs one; without it, the accounts are read once a day. */
export async function checkConnectEndpoint(subject: Subject, say: Say): Promise<void> {
  const { env } = subject;
  const { path } = routes.connectWebhook;
  const secret = 'STRIPE_CONNECT_WEBHOOK_SECRET';
  const types = [...accountTypes, ...payoutTypes];
  if (env[secret]) return checkEndpoint(subject, say, { path, types, secret });
  const without = `${secret} is not set, so a change of an owner's account takes effect up to a day late`;
  if (isTestKey(env.STRIPE_SECRET_KEY as string)) return say.fine(without);
  const url = new URL(path, env.PUBLIC_URL);
  say.wrong(without, `Add an endpoint ${url} for connected accounts in Stripe’s dashboard.`);
}

/** Checks that Stripe has the endpoint and has not disabled it; Stripe disables one that fails for days. */
async function checkEndpoint(
  { env }: Subject,
  say: Say,
  { path, types, secret }: Endpoint,
): Promise<void> {
  const url = new URL(path, env.PUBLIC_URL).toString();
  const { stripe, whom } = stripeOf(env);
  const found = await stripe.webhookEndpoints
    .list({ limit: 100 }, patience)
    .catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripePermissionError) return null;
      throw error;
    })
    .catch(() => undefined);
  if (found === undefined) return;
  if (found === null) return say.fine('STRIPE_SECRET_KEY may not read it');
  // Compare only the path of the sandbox's endpoint, because the sandbox uses another host.
  const ours = found.data.filter((each) =>
    env.STRIPE_API_BASE ? new URL(each.url).pathname === new URL(url).pathname : each.url === url,
  );
  const endpoint = ours.find(({ status }) => status === 'enabled') ?? ours[0];
  if (!endpoint)
    return say.wrong(
      `${whom} has no webhook endpoint ${url}`,
      `Add it in Stripe’s dashboard, and set ${secret} to its secret.`,
    );
  if (endpoint.status !== 'enabled')
    return say.wrong(
      `${whom} has disabled the webhook endpoint ${url}`,
      'Fix the `webhook` finding above, if any; then enable the endpoint in Stripe’s dashboard.',
    );
  const sent: string[] = endpoint.enabled_events;
  const missing = types.filter((type) => !sent.includes(type));
  if (missing.length > 0 && !sent.includes('*'))
    say.wrong(
      `${whom} does not send ${missing.join(', ')} to ${url}`,
      'Add these events to the endpoint in Stripe’s dashboard.',
    );
  else say.fine(`${whom} sends all events that payments needs`);
}

/** Transfers succeed even without a balance, so an automatic payout could withdraw what belongs to owners and renters. */
export async function checkOwnPayouts({ env }: Subject, say: Say): Promise<void> {
  const { stripe, whom } = stripeOf(env);
  const account = await stripe.accounts
    .retrieveCurrent({}, patience)
    .catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripePermissionError) return null;
      throw error;
    })
    .catch(() => undefined);
  if (account === undefined) return;
  const interval = account?.settings?.payouts?.schedule?.interval;
  if (!interval)
    return say.fine('STRIPE_SECRET_KEY may not read their schedule: it has to be manual');
  if (interval === 'manual') return say.fine(`${whom} pays out to you only by hand`);
  const says = `${whom} pays out to you automatically (${interval}), also what belongs to owners and renters`;
  if (isTestKey(env.STRIPE_SECRET_KEY as string)) return say.fine(`${says}. Only test money moves`);
  say.wrong(
    says,
    'Set the payout schedule to manual in Stripe’s dashboard: docs/operations.md#owners-accounts-at-stripe.',
  );
}

export function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(host);
}

/** Sends an unsigned webhook. If the payments service rejects it, the public URL leads to that service. */
export async function checkWebhook({ env }: Subject, say: Say): Promise<void> {
  const url = new URL(routes.paymentWebhook.path, env.PUBLIC_URL).toString();
  const todo = 'Make PUBLIC_URL lead to the gateway, also from the internet.';
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 'of the doctor' },
      body: '{}',
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'manual',
    });
    const { code } = (await reply.json().catch(() => ({}))) as { code?: string };
    if (code === 'WEBHOOK_SIGNATURE_INVALID') say.fine(`${url} leads to payments`);
    else say.wrong(`${url} answers ${reply.status}, but not from payments`, todo);
  } catch (error) {
    // Don't report this as an error: in a container, `localhost` is the container itself, not the gateway.
    if (env.STRIPE_API_BASE && isLoopback(new URL(url).hostname))
      say.fine(`${url} can't be reached from this container; the sandbox uses another address`);
    else say.wrong(`${url} ${reasonOf(error)}`, todo);
  }
}
