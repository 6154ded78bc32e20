import type { StripeErrorBody } from './objects.ts';

/** An error in Stripe's format. `keepsEffect`: the changes made before it are stored, such as a declined charge. */
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

export function requiredParam(param: string): StripeError {
  const message = `Missing required param: ${param}.`;
  return invalidRequest(message, { code: 'parameter_missing', param });
}
