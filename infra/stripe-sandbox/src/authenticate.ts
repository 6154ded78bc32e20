import type { NextFunction, Request, Response } from 'express';
import type { Store } from './store.ts';
import { missing, StripeError } from './stripe-error.ts';

export interface Keys {
  secretKey: string;
  publishableKey: string;
}

export function requireSecretKey(keys: Keys) {
  return (req: Request, _res: Response, next: NextFunction): void => {
    if (keyOf(req) === keys.secretKey) next();
    else throw rejection(keyOf(req), keys);
  };
}

export function requireAnyKey(keys: Keys) {
  return (req: Request, _res: Response, next: NextFunction): void => {
    const key = keyOf(req);
    if (key === keys.secretKey || key === keys.publishableKey) next();
    else throw rejection(key, keys);
  };
}

export function requireIntentAccess(keys: Keys, store: Store) {
  return (req: Request, _res: Response, next: NextFunction): void => {
    const key = keyOf(req);
    if (key !== keys.secretKey && key !== keys.publishableKey) throw rejection(key, keys);
    const secret = req.method === 'GET' ? req.query.client_secret : req.body?.client_secret;
    const id = String(req.params.id);
    // Like Stripe, replies 404 to a wrong client secret.
    if (key !== keys.secretKey && store.intents.get(id)?.client_secret !== secret) {
      throw missing('payment_intent', id, 'intent');
    }
    next();
  };
}

export function isPublishable(req: Request, keys: Keys): boolean {
  return keyOf(req) === keys.publishableKey;
}

function keyOf(req: Request): string | null {
  const [scheme, value] = (req.get('authorization') ?? '').split(' ');
  if (scheme === 'Bearer' && value) return value;
  if (scheme === 'Basic' && value)
    return Buffer.from(value, 'base64').toString().split(':')[0] ?? null;
  return null;
}

function rejection(key: string | null, keys: Keys): StripeError {
  if (!key) {
    return new StripeError(401, {
      type: 'invalid_request_error',
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  }
  if (key === keys.publishableKey) {
    return new StripeError(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message:
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
    });
  }
  const hidden = `${key.slice(0, 8)}****${key.slice(-4)}`;
  const message = `Invalid API Key provided: ${hidden}`;
  return new StripeError(401, { type: 'invalid_request_error', message });
}
