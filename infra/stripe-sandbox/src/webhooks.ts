import { createHmac } from 'node:crypto';
import type { Faults } from './faults.ts';
import { nowInSeconds, type StripeEvent } from './objects.ts';
import type { Store } from './store.ts';

interface WebhookOptions {
  url: string | undefined;
  /** Several while a secret is being rotated. */
  secrets: string[];
  /** The wait before the nth retry; the last one repeats. */
  retryDelaysMs: number[];
  timeoutMs: number;
}

export interface Webhooks {
  send(event: StripeEvent): void;
  /** Sets the endpoint later, and delivers waiting events. */
  sendTo(url: string): void;
  endpoint(): string | undefined;
  signWith(secrets: string[]): void;
  stop(): void;
}

/** Limits the delivery attempts of an event; Stripe gives up after three days. */
const MAX_ATTEMPTS = 500;

/** Builds the header that `stripe.webhooks.constructEvent` checks. */
function signPayload(payload: string, secrets: string[], timestamp = nowInSeconds()): string {
  const signatureBy = (secret: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return [`t=${timestamp}`, ...secrets.map((secret) => `v1=${signatureBy(secret)}`)].join();
}

/**
 * Delivers each event until the endpoint replies 2xx. Events are retried independently, so their order is not kept, as with
 * Stripe. After a restart, sends the events that the ledger does not list as delivered.
 */
export function startWebhooks(store: Store, faults: Faults, options: WebhookOptions): Webhooks {
  let { secrets } = options;
  const timers = new Set<NodeJS.Timeout>();
  const stopping = new AbortController();

  const later = (delayMs: number, work: () => Promise<void>) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, delayMs);
    timers.add(timer);
  };

  const post = async (
    url: string,
    event: StripeEvent,
    secrets: string[],
  ): Promise<number | null> => {
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
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(options.timeoutMs)]),
      });
      await reply.arrayBuffer();
      return reply.status;
    } catch {
      return null;
    }
  };

  const attempt = async (url: string, event: StripeEvent, number: number): Promise<void> => {
    const fault = faults.take('webhook');
    if (fault?.kind === 'delay') {
      return later(fault.delayMs, () => attempt(url, event, number));
    }
    const signing = fault?.kind === 'forge' ? ['whsec_forged'] : secrets;
    const status = fault?.kind === 'drop' ? 299 : await post(url, event, signing);
    if (stopping.signal.aborted) return;
    const delivered = status !== null && status >= 200 && status < 300;
    await store.commit({ delivery: { event: event.id, attempt: number, status, delivered } });
    if (fault?.kind === 'duplicate') {
      await Promise.all([1, 2, 3, 4].map(() => post(url, event, signing)));
    }
    if (delivered || number >= MAX_ATTEMPTS || stopping.signal.aborted) return;
    const delays = options.retryDelaysMs;
    const delayMs = delays[Math.min(number, delays.length) - 1] ?? 1000;
    later(delayMs, () => attempt(url, event, number + 1));
  };

  let endpoint: string | undefined;
  const send = (event: StripeEvent) => {
    const url = endpoint;
    if (url) later(0, () => attempt(url, event, 1));
  };
  const sendTo = (url: string) => {
    endpoint = url;
    const settled = new Set(
      store.deliveries.filter((one) => one.delivered).map((one) => one.event),
    );
    for (const event of store.events.values()) if (!settled.has(event.id)) send(event);
  };
  if (options.url) sendTo(options.url);

  return {
    send,
    sendTo,
    endpoint: () => endpoint,
    signWith(these) {
      secrets = these;
    },
    stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
