import { createHmac } from 'node:crypto';
import { createTimers } from './clock.ts';
import type { Faults } from './faults.ts';
import { nowInSeconds, type StripeEvent } from './objects.ts';
import type { Store } from './store.ts';

interface Endpoint {
  /** Without a URL, events wait until one is set. */
  url: string | undefined;
  /** Each webhook is signed with all of these secrets: two during a rotation, otherwise one. */
  secrets: string[];
}

/** As Stripe names them: account webhooks are about the platform, Connect webhooks about connected accounts. */
export type EndpointKind = 'account' | 'connect';

interface WebhookOptions {
  endpoints: Record<EndpointKind, Endpoint>;
  /** The last delay repeats until the event is delivered. */
  retryDelaysMs: number[];
  timeoutMs: number;
}

export interface Webhooks {
  send(event: StripeEvent): void;
  sendTo(url: string, kind?: EndpointKind): void;
  endpoint(kind: EndpointKind): string | undefined;
  signWith(secrets: string[], kind?: EndpointKind): void;
  stop(): void;
}

/** The sandbox gives up after this many attempts. Stripe itself gives up after three days. */
const MAX_ATTEMPTS = 500;

function signPayload(payload: string, secrets: string[], timestamp = nowInSeconds()): string {
  const signatureBy = (secret: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return [`t=${timestamp}`, ...secrets.map((secret) => `v1=${signatureBy(secret)}`)].join();
}

/** @returns the status of the reply; null if none came */
async function postEvent(
  url: string,
  event: StripeEvent,
  { secrets, signal }: { secrets: string[]; signal: AbortSignal },
): Promise<number | null> {
  const payload = JSON.stringify(event, null, 2);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signPayload(payload, secrets),
        'user-agent': 'Stripe/1.0 (LendTools sandbox)',
      },
      body: payload,
      signal,
    });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return null;
  }
}

function undeliveredIn({ deliveries, events }: Store): StripeEvent[] {
  const delivered = new Set(deliveries.filter((one) => one.delivered).map((one) => one.event));
  return [...events.values()].filter((event) => !delivered.has(event.id));
}

/** Retries until the endpoint replies 2xx, even after a restart. As with Stripe, events may arrive out of order. */
export function startWebhooks(store: Store, faults: Faults, options: WebhookOptions): Webhooks {
  const { endpoints } = options;
  const { later, stop } = createTimers();
  const stopping = new AbortController();

  const attempt = async (url: string, event: StripeEvent, number: number): Promise<void> => {
    const fault = faults.take('webhook');
    if (fault?.kind === 'delay') {
      return later(fault.delayMs, () => attempt(url, event, number));
    }
    const signing = fault?.kind === 'forge' ? ['whsec_forged'] : endpoints[kindOf(event)].secrets;
    const post = () =>
      postEvent(url, event, {
        secrets: signing,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(options.timeoutMs)]),
      });
    const status = fault?.kind === 'drop' ? 299 : await post();
    if (stopping.signal.aborted) return;
    const delivered = status !== null && status >= 200 && status < 300;
    await store.commit({ delivery: { event: event.id, attempt: number, status, delivered } });
    if (fault?.kind === 'duplicate') {
      await Promise.all([1, 2, 3, 4].map(post));
    }
    if (delivered || number >= MAX_ATTEMPTS || stopping.signal.aborted) return;
    const delays = options.retryDelaysMs;
    const delayMs = delays[Math.min(number, delays.length) - 1] ?? 1000;
    later(delayMs, () => attempt(url, event, number + 1));
  };

  const send = (event: StripeEvent) => {
    const { url } = endpoints[kindOf(event)];
    if (url) later(0, () => attempt(url, event, 1));
  };
  const sendTo = (url: string, kind: EndpointKind = 'account') => {
    endpoints[kind].url = url;
    for (const event of undeliveredIn(store)) if (kindOf(event) === kind) send(event);
  };
  if (endpoints.account.url) sendTo(endpoints.account.url);
  if (endpoints.connect.url) sendTo(endpoints.connect.url, 'connect');

  return {
    send,
    sendTo,
    endpoint: (kind) => endpoints[kind].url,
    signWith(secrets, kind = 'account') {
      endpoints[kind].secrets = secrets;
    },
    stop() {
      stopping.abort();
      stop();
    },
  };
}

function kindOf(event: StripeEvent): EndpointKind {
  return event.account ? 'connect' : 'account';
}
