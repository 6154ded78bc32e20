import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ErrorCode,
  FactsOfEarnedBooking,
  PaymentShare,
  ReceiptLines,
  RefundOwed,
} from '@lendtools/contracts';
import { stubServerOptions } from '@lendtools/testing';

export const internalSecret = 'what-only-bookings-and-payments-know';

interface Authorization {
  holdId: string;
  paymentId: string;
  userId: string;
  amountCents: number;
  status: string;
}

export interface TestHold {
  amountCents: number;
  expiresAt?: Date;
  userId: string;
  onRequest?: boolean;
  /** The unpaid holds of the same cart. */
  otherHoldIds?: string[];
  /** The hold ends after this many checkouts. */
  checkouts?: number;
}

/** Without terms, and open, by default. */
export type TestShare = Pick<PaymentShare, 'bookingId' | 'ownerId' | 'cents'> &
  Partial<PaymentShare>;

interface Reply {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

const ok = (body: object): Reply => ({ status: 200, body });

const readJson = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
};

const createState = () => ({
  refunds: [] as (RefundOwed & { orderedAt?: string })[],
  shares: new Map<string, TestShare[]>(),
  bookingsOf: new Map<string, object[]>(),
  receiptLines: new Map<string, ReceiptLines>(),
  earnedBookings: new Map<string, FactsOfEarnedBooking>(),
  ownerNames: new Map<string, string>(),
  holds: new Map<string, TestHold>(),
  outage: { requests: 0 },
  approvals: new Map<string, 'pending' | 'accepted' | 'ended'>(),
  authorizations: [] as Authorization[],
  paymentLimits: new Map<string, { status: number; code: ErrorCode; detail: string }>(),
});
type State = ReturnType<typeof createState>;

/** The routes by their path. A capture group in the path is passed to the handler as `key`. */
const routes: [
  path: RegExp,
  reply: (state: State, key: string, request: IncomingMessage) => Reply | Promise<Reply>,
][] = [
  [
    /^\/internal\/bookings-of-payments\?payments=(.+)$/,
    ({ bookingsOf }, paymentIds) => {
      const ids = decodeURIComponent(paymentIds).split(',');
      const bookings = (paymentId: string) => bookingsOf.get(paymentId) ?? [];
      return ok({ payments: ids.map((id) => ({ paymentId: id, bookings: bookings(id) })) });
    },
  ],
  [
    /^\/internal\/users\/([^/]+)\/payment-limit$/,
    ({ paymentLimits }, userId) => {
      const limit = paymentLimits.get(userId);
      if (!limit || limit.status === 200) return ok({ message: '' });
      const { status, ...problem } = limit;
      const headers: Record<string, string> = status === 429 ? { 'retry-after': '5400' } : {};
      return { status, body: { ...problem, errors: [] }, headers };
    },
  ],
  [
    /^\/internal\/payments\/([^/]+)\/lines$/,
    ({ receiptLines }, paymentId, request) => {
      const lines = receiptLines.get(paymentId);
      return lines ? ifInternal(request, lines) : { status: 404, body: {} };
    },
  ],
  [
    /^\/internal\/earned-bookings$/,
    async ({ earnedBookings, ownerNames }, _key, request) => {
      const { bookings, owners }: { bookings: string[]; owners: string[] } =
        await readJson(request);
      return ifInternal(request, {
        bookings: bookings.flatMap((id) => earnedBookings.get(id) ?? []),
        owners: owners.flatMap((id) => {
          const name = ownerNames.get(id);
          return name === undefined ? [] : [{ id, name }];
        }),
      });
    },
  ],
  [
    /^\/internal\/payments\/([^/]+)\/refunds$/,
    ({ refunds }, paymentId, request) =>
      ifInternal(request, { refunds: refunds.filter((refund) => refund.paymentId === paymentId) }),
  ],
  [
    /^\/internal\/payments\/([^/]+)\/orders$/,
    ({ refunds, shares }, paymentId, request) =>
      ifInternal(request, {
        shares: (shares.get(paymentId) ?? []).map((share) => ({
          toolId: share.bookingId,
          terms: null,
          releaseAt: null,
          ...share,
        })),
        refunds: refunds.filter((refund) => refund.paymentId === paymentId),
      }),
  ],
  [
    /^\/internal\/holds\/([^/]+)\/authorization$/,
    async ({ authorizations, approvals }, holdId, request) => {
      authorizations.push({ holdId, ...(await readJson(request)) });
      return ifInternal(request, { approval: approvals.get(holdId) ?? 'pending' });
    },
  ],
  [
    /^\/internal\/holds\/([^/]+)\/checkout$/,
    ({ holds }, holdId, request) => checkOut(holds, holdId, request),
  ],
  [
    /^\/internal\/refunds(?:\?|$)/,
    ({ refunds }, _key, request) =>
      ifInternal(request, { items: refunds, nextCursor: null, upTo: new Date().toISOString() }),
  ],
];

const ifInternal = ({ headers }: IncomingMessage, body: object): Reply => ({
  status: headers.authorization === `Bearer ${internalSecret}` ? 200 : 401,
  body,
});

const checkOut = (holds: State['holds'], holdId: string, { headers }: IncomingMessage): Reply => {
  const hold = holds.get(holdId);
  const claims = String(headers.authorization).split('.')[1] ?? '';
  const caller = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').sub;
  if (hold?.checkouts !== undefined) hold.checkouts -= 1;
  if (hold?.checkouts === 0) holds.delete(holdId);
  if (hold?.userId !== caller || !hold) {
    const body = { code: 'HOLD_NOT_FOUND', detail: 'This hold does not exist.', errors: [] };
    return { status: 404, body };
  }
  const expiresAt = hold.expiresAt ?? new Date(Date.now() + 15 * 60_000);
  return ok({ onRequest: false, ...hold, currency: 'usd', expiresAt: expiresAt.toISOString() });
};

const replyTo = (state: State, request: IncomingMessage): Reply | Promise<Reply> => {
  for (const [path, reply] of routes) {
    const match = path.exec(request.url ?? '');
    if (match) return reply(state, match[1] ?? '', request);
  }
  throw new Error(`The fake of bookings has no route for ${request.url}`);
};

export const startFakeBookings = async () => {
  const state = createState();
  const server = createServer(stubServerOptions, async (request, response) => {
    // The ledger reads orders in the background, so tests of other calls could not count on their outage.
    if (!request.url?.endsWith('/orders')) state.outage.requests -= 1;
    if (state.outage.requests >= 0 && !request.url?.endsWith('/orders')) {
      request.socket.destroy();
      return;
    }
    const { status, body, headers } = await replyTo(state, request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
