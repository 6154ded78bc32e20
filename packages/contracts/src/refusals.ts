import type { Route } from './route.ts';

/** Every code of a refusal with its HTTP status. What throws one and what documents one both read it here. */
export const refusals = {
  // Any service
  VALIDATION_FAILED: 400,
  REQUEST_UNREADABLE: 400,
  UPLOAD_REFUSED: 400,
  IMAGE_REFUSED: 400,
  IDEMPOTENCY_KEY_INVALID: 400,
  CURSOR_INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  IMAGE_NOT_FOUND: 404,
  REQUEST_TOO_SLOW: 408,
  BODY_TOO_LARGE: 413,
  UPLOAD_TOO_LARGE: 413,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  // The gateway
  UPSTREAM_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
  // Accounts
  EMAIL_TAKEN: 409,
  PASSWORD_TOO_COMMON: 400,
  PASSWORD_WRONG: 403,
  STATE_UNKNOWN: 404,
  PLACE_UNKNOWN: 400,
  ZIP_UNKNOWN: 400,
  // Catalog, too
  PLACE_TOO_FAR: 400,
  LOGIN_FAILED: 401,
  ACCOUNT_DISABLED: 403,
  SESSION_ENDED: 401,
  CROSS_SITE: 403,
  RESET_TOKEN_INVALID: 400,
  EMAIL_TOKEN_INVALID: 400,
  EMAIL_NOT_VERIFIED: 403,
  USER_NOT_FOUND: 404,
  USER_LAST_ADMIN: 409,
  // Catalog
  TOOL_NOT_FOUND: 404,
  TOOL_HAS_BOOKINGS: 409,
  TOO_MANY_TOOLS: 409,
  OWNER_UNKNOWN: 409,
  CATEGORY_NOT_FOUND: 404,
  CATEGORY_EXISTS: 409,
  CATEGORY_IN_USE: 409,
  PLACE_MISSING: 400,
  // Bookings
  TOOL_IS_YOURS: 409,
  TOOL_UNAVAILABLE: 409,
  TOOL_ALREADY_BOOKED: 409,
  PERIOD_INVALID: 400,
  AMOUNT_INVALID: 400,
  TOO_MANY_HOLDS: 409,
  CART_TOO_LARGE: 409,
  HOLD_NOT_FOUND: 404,
  HOLD_PAID: 409,
  HOLD_EXPIRED: 409,
  PAYMENT_REQUIRED: 402,
  BOOKING_NOT_FOUND: 404,
  BOOKING_NOT_ACTIVE: 409,
  BOOKING_STARTED: 409,
  BOOKING_NOT_STARTED: 409,
  BOOKING_REVIEWED: 409,
  REFUND_TOO_LARGE: 409,
  RETURN_NOT_UNDONE: 409,
  // Payments
  PRICE_CHANGED: 409,
  TOO_MANY_PAYMENTS: 409,
  PAYMENT_NOT_FOUND: 404,
  PAYMENT_INTENT_MISMATCH: 409,
  PAYMENT_NOT_SUCCEEDED: 402,
  PROVIDER_UNAVAILABLE: 503,
  WEBHOOK_SIGNATURE_INVALID: 400,
  // Messaging and notifications
  THREAD_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  THREAD_ALREADY_OPEN: 409,
  NOTICE_NOT_FOUND: 404,
} as const;

export type RefusalCode = keyof typeof refusals;
export type StatusOf<C extends RefusalCode> = (typeof refusals)[C];

/** The codes that have this status. */
export type CodeOf<S extends number> = {
  [C in RefusalCode]: StatusOf<C> extends S ? C : never;
}[RefusalCode];

/** Every code that a route may answer: what its shape brings with it, then its own. */
export const refusalsOf = (route: Route): RefusalCode[] => {
  const { who, params, query, body, raw, images, idempotent, errors = [] } = route;
  const isKeptToSome = who === 'self' || who === 'admin';
  const codes = new Set<RefusalCode>([
    ...(params || query || body ? (['VALIDATION_FAILED'] as const) : []),
    ...(query && 'cursor' in query.shape ? (['CURSOR_INVALID'] as const) : []),
    // An escape such as %FF in the path can't be read.
    ...(params || body || raw ? (['REQUEST_UNREADABLE'] as const) : []),
    ...(body || raw ? (['REQUEST_TOO_SLOW', 'BODY_TOO_LARGE'] as const) : []),
    ...(images ? (['UPLOAD_REFUSED', 'UPLOAD_TOO_LARGE'] as const) : []),
    ...(idempotent
      ? (['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_REQUESTS'] as const)
      : []),
    ...(who === 'anyone' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isKeptToSome ? (['FORBIDDEN'] as const) : []),
    ...errors,
    ...(['INTERNAL_ERROR', 'UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const),
  ]);
  return [...codes];
};
