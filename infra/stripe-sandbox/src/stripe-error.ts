import type { StripeErrorBody } from './objects.ts';

/** With `keepsEffect`, the changes made before the error are stored, such as a declined charge. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  readonly keepsEffect: boolean;

  constructor(status: number, body: StripeErrorBody, keepsEffect = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.keepsEffect = keepsEffect;
  }
}

export function invalidRequest(message: string, extra: Partial<StripeErrorBody> = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...extra });
}

export function missing(kind: string, id: string, param: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** Stripe's reply to an unknown connected account. */
export function accountInvalid(id: string): StripeError {
  return new StripeError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key 'sk_test_***' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  });
}

export function requiredParam(param: string): StripeError {
  const message = `Missing required param: ${param}.`;
  return invalidRequest(message, { code: 'parameter_missing', param });
}
