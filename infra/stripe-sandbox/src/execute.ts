import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Fault, FaultPoint, Faults } from './faults.ts';
import { newId, type StripeErrorBody, type StripeEvent } from './objects.ts';
import { asParams, type Params } from './payment-methods.ts';
import type { Store } from './store.ts';
import { StripeError } from './stripe-error.ts';
import { Transaction } from './transaction.ts';

export interface Call {
  tx: Transaction;
  params: Params;
  id: string;
  /** The connected account that the header `Stripe-Account` names. */
  account: string | undefined;
  /** The URL at which the caller reaches the sandbox. */
  origin: string;
}

/** Errors with status 400 that depend on balances and accounts, not on the request's parameters alone. */
const REJECTED_BY_EXECUTION = ['balance_insufficient', 'insufficient_capabilities_for_transfer'];

interface Engine {
  store: Store;
  faults: Faults;
  secretKey: string;
  onEvent(event: StripeEvent): void;
  /** Aborted when the sandbox closes, so that a hanging reply does not delay it. */
  stopping: AbortSignal;
}

interface Reply {
  status: number;
  body: object;
}

/**
 * Like Stripe, repeats the first reply for an idempotency key, and rejects a different or concurrent request with that
 * key. The change, its events and the reply become one line of the ledger before the reply is sent.
 */
export function createExecutor(engine: Engine) {
  const inFlight = new Set<string>();

  const run = async (req: Request, point: FaultPoint | null, handle: (call: Call) => object) => {
    const key = req.method === 'POST' ? req.get('idempotency-key') || null : null;
    const requestId = newId('req');
    const fault = point ? engine.faults.take(point) : undefined;
    strikeBefore(req, fault);
    const kept = key ? recall(engine, req, key) : null;
    if (kept) return { requestId, key, reply: kept, fault, replayed: true };
    if (key && inFlight.has(key)) throw keyInUse();
    if (key) inFlight.add(key);
    try {
      if (fault?.kind === 'slow') await pause(engine, fault.delayMs);
      const request = { id: requestId, idempotency_key: key };
      const tx = new Transaction(engine.store, request);
      const reply = answer(tx, { req, handle, fault });
      const keeps = key && isStored(reply);
      const put = [...tx.changes.values()];
      if (put.length || keeps) {
        const fingerprint = fingerprintOf(engine, req);
        await engine.store.commit({ put, ...(keeps && { reply: { key, fingerprint, ...reply } }) });
      }
      for (const change of put) if (change.object === 'event') engine.onEvent(change);
      return { requestId, key, reply, fault, replayed: false };
    } finally {
      if (key) inFlight.delete(key);
    }
  };

  return (point: FaultPoint | null, handle: (call: Call) => object) =>
    async (req: Request, res: Response): Promise<void> => {
      const { requestId, key, reply, fault, replayed } = await run(req, point, handle);
      if (fault?.kind === 'hang') await pause(engine, fault.delayMs);
      if (fault?.kind === 'reset-after-effect') {
        req.socket.destroy();
        return;
      }
      res.set('request-id', requestId);
      if (key) res.set('idempotency-key', key);
      if (replayed) res.set('idempotent-replayed', 'true');
      res.status(reply.status).json(reply.body);
    };
}

function recall(engine: Engine, req: Request, key: string): Reply | null {
  const kept = engine.store.replies.get(key);
  if (!kept) return null;
  if (kept.fingerprint === fingerprintOf(engine, req)) return kept;
  throw new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function answer(
  tx: Transaction,
  call: { req: Request; handle: (call: Call) => object; fault: Fault | undefined },
): Reply {
  const { req, handle, fault } = call;
  const params = asParams(req.method === 'GET' ? req.query : req.body);
  let reply: Reply;
  try {
    const account = req.get('stripe-account');
    const origin = `${req.protocol}://${req.get('host')}`;
    const id = String(req.params.id ?? '');
    if (account) tx.account(account);
    reply = { status: 200, body: handle({ tx, params, id, account, origin }) };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    if (!error.keepsEffect) tx.changes.clear();
    reply = { status: error.status, body: { error: error.body } };
  }
  return fault?.kind === 'error-500-after-effect' ? { status: 500, body: apiError() } : reply;
}

/**
 * True if Stripe would store the reply for its idempotency key: any reply to an executed request, even a 500, but not the rejection
 * of parameters.
 */
function isStored({ body, status }: Reply): boolean {
  const { code } = (body as { error?: StripeErrorBody }).error ?? {};
  const isExecuted = code !== undefined && REJECTED_BY_EXECUTION.includes(code);
  return status < 300 || status === 402 || status >= 500 || isExecuted;
}

function strikeBefore(req: Request, fault: Fault | undefined): void {
  if (fault?.kind === 'reset-before-effect') {
    req.socket.destroy();
    throw new StripeError(500, apiError().error);
  }
  if (fault?.kind === 'error-500-before-effect') throw new StripeError(500, apiError().error);
  if (fault?.kind === '409') throw keyInUse();
  if (fault?.kind === '429') {
    throw new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    });
  }
}

function apiError() {
  const message = 'An unknown error occurred';
  return { error: { type: 'api_error', message } };
}

function keyInUse(): StripeError {
  return new StripeError(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
  });
}

/** This hash needs a key: with a plain hash, the card number in a body could be found by trying all numbers. */
function fingerprintOf(engine: Engine, req: Request): string {
  const text = `${req.method} ${req.path} ${JSON.stringify(req.body ?? {})}`;
  return createHmac('sha256', engine.secretKey).update(text).digest('hex');
}

function pause(engine: Engine, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    engine.stopping.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
