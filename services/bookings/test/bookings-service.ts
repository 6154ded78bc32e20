import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type {
  EventData,
  GoneFromShare,
  Hold,
  ListedPayment,
  QueueName,
  Role,
} from '@lendtools/contracts';
import {
  createLogger,
  createPool,
  type Logger,
  type Pool,
  type Running,
  readConfig,
  runTasksNow,
} from '@lendtools/service-kit';
import {
  accountRegistered,
  type HttpClient,
  httpClient,
  startPostgresEnvironment,
  stubServerOptions,
  type TestEnvironment,
  waitFor,
} from '@lendtools/testing';
import { config } from '../src/config.ts';
import { startBookings } from '../src/start-bookings.ts';

type PaymentSucceeded = EventData<'PaymentSucceeded'>;

const queues: QueueName[] = [
  'bookings.sync-tools',
  'bookings.sync-people',
  'bookings.sync-blocks',
  'bookings.hide-review-when-moderated',
  'bookings.time-answers-when-message-sent',
  'bookings.stop-calendar-when-access-ends',
  'bookings.sync-disabled-people',
  'bookings.erase-owner-when-account-deleted',
  'bookings.confirm-bookings-when-payment-succeeded',
  'bookings.release-hold-when-payment-failed',
  'bookings.withhold-when-payment-changed-at-stripe',
  'bookings.sync-shares',
];

export const internalSecret = 'what-only-bookings-and-payments-know';

/** A payment as the payments stub lists it. By default, a booking can be made with it. */
export type FakePayment = EventData<'PaymentSucceeded'> & Partial<ListedPayment>;

/** A stub of the payments service with the two endpoints that the bookings service calls. */
const startFakePayments = async (known: FakePayment[]) => {
  const server = createServer(stubServerOptions, (request, response) => {
    if (request.url?.startsWith('/internal/payments?')) {
      const isOurs = request.headers.authorization === `Bearer ${internalSecret}`;
      response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
      const upTo = new Date().toISOString();
      const items = known.map((payment) => ({ mayBeBooked: true, ...payment }));
      response.end(JSON.stringify({ items, nextCursor: null, upTo }));
      return;
    }
    const userId = /^\/internal\/users\/([^/]+)\/payments$/.exec(request.url ?? '')?.[1];
    const isAllowed = request.headers.authorization?.startsWith('Bearer ');
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ payments: known.filter((p) => p.userId === userId) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export interface Person {
  userId: string;
  token: string;
}

/** The UTC date `days` days from today, such as `2026-05-31`. */
export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const movesTime =
  /^\s*(WITH \w+ AS \(\s*)?UPDATE (holds|bookings|booking_changes|approvals|payments|disabled_people) /;

/** A database connection that runs all scheduled tasks after an update, as if time had passed. */
const createTimeMachine = (databaseUrl: string, logger: Logger): Pool => {
  const pool = createPool(databaseUrl, logger, { max: 3 });
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<unknown>;
  return Object.assign(pool, {
    async query(text: string, values?: unknown[]) {
      const result = await query(text, values);
      if (movesTime.test(text)) await runTasksNow(pool);
      return result;
    },
  });
};

/** Starts a database, a broker and a stub of the payments service that serves the list `payments`. */
export const startBookingsWorld = async (settings: Record<string, string> = {}) => {
  const environment = await startPostgresEnvironment(
    fileURLToPath(new URL('../migrations/', import.meta.url)),
    queues,
  );
  const payments: FakePayment[] = [];
  const fakePayments = await startFakePayments(payments);
  const logger = createLogger('test', 'silent');
  const jobPool = createPool(environment.databaseUrl, logger, { max: 3 });
  const pool = createTimeMachine(environment.databaseUrl, logger);
  const { broker, databaseUrl, topology } = environment;
  return {
    payments,
    pool,
    broker,
    databaseUrl,
    topology,
    /** Dependencies for jobs that a test runs directly. */
    jobDeps: { pool: jobPool, logger },
    env: {
      ...environment.env,
      PAYMENTS_URL: fakePayments.url,
      INTERNAL_SECRET: internalSecret,
      ...settings,
    },
    helpersAt: (http: HttpClient) => helpersFor(environment, pool, http),
    async stop() {
      await fakePayments.stop();
      await Promise.all([pool.end(), jobPool.end()]);
      await environment.stop();
    },
  };
};
export type BookingsWorld = Awaited<ReturnType<typeof startBookingsWorld>>;
export type BookingsHelpers = ReturnType<typeof helpersFor>;

/** Runs the real bookings service in this process. */
export const startBookingsService = async (settings: Record<string, string> = {}) => {
  const world = await startBookingsWorld(settings);
  const { topology, env, ...shared } = world;
  const start = (overrides: Record<string, string> = {}) =>
    startBookings(readConfig(config, { ...env, ...overrides }), { topology, jobIntervalMs: 1_000 });
  let service = await start();
  const http = httpClient(service.url);

  return {
    ...shared,
    ...world.helpersAt(http),
    start,
    http,
    url: service.url,
    async restart(overrides: Record<string, string> = {}): Promise<HttpClient> {
      await service.stop();
      service = await start(overrides);
      return httpClient(service.url);
    },
    async stop() {
      await service.stop();
      await world.stop();
    },
  };
};
export type BookingsService = Awaited<ReturnType<typeof startBookingsService>>;
export type { Running };

interface GoneSums {
  outside?: number;
  lost?: number;
  held?: number;
}

const helpersFor = ({ broker, accounts }: TestEnvironment, pool: Pool, http: HttpClient) => {
  const person = async (
    role: Role = 'User',
    claims: { authenticatedSecondsAgo?: number } = {},
  ): Promise<Person> => {
    const userId = randomUUIDv7();
    return { userId, token: await accounts.sign({ userId, role, ...claims }) };
  };

  /** Creates a person and waits until the bookings service has copied the profile. */
  const neighbor = async (
    overrides: Partial<EventData<'AccountRegistered'>> = {},
  ): Promise<Person> => {
    const someone = await person();
    const { userId } = someone;
    const place = { state: 'Illinois', city: 'Chicago', address: '1 Oak Street' };
    const data = accountRegistered({ userId, ...place, ...overrides });
    await broker.sendNew('AccountRegistered', data, { id: data.userId, version: 1 });
    await waitFor('the person', async () => rowOf(pool, 'people', data.userId));
    return someone;
  };

  const toolData = (overrides: Partial<EventData<'ToolListed'>> = {}): EventData<'ToolListed'> => ({
    toolId: randomUUID(),
    ownerId: randomUUID(),
    categoryId: randomUUID(),
    name: 'Hammer drill',
    description: 'Goes through anything.',
    priceCents: 1_250,
    rentalCircle: 'daily',
    status: 'Available',
    units: 1,
    timeZone: 'UTC',
    coverImage: '/api/images/tools-0123456789abcdef0123456789abcdef-640.webp',
    ownerDisabled: false,
    terms: null,
    ...overrides,
  });

  /** Lists a tool and waits until the bookings service has copied it. */
  const tool = async (overrides: Partial<EventData<'ToolListed'>> = {}) => {
    const data = toolData(overrides);
    await broker.sendNew('ToolListed', data, { id: data.toolId, version: 1 });
    await waitFor('the tool', () => rowOf(pool, 'tools', data.toolId));
    return data;
  };

  const line = (
    toolId: string,
    overrides: Record<string, unknown> = {},
  ): Record<string, unknown> => ({
    rental_id: toolId,
    quantity: 1,
    start_date: inDays(10),
    end_date: inDays(12),
    ...overrides,
  });

  const postHold = (
    renter: Person,
    lines: Record<string, unknown>[],
    headers: Record<string, string> = {},
  ) =>
    http.post(`/api/user/${renter.userId}/holds`, {
      token: renter.token,
      body: { lines },
      headers,
    });

  /** Holds one tool, by default a new one. */
  const held = async (renter: Person, toolId?: string): Promise<Hold> => {
    const { body } = await postHold(renter, [line(toolId ?? (await tool()).toolId)]);
    return body.hold;
  };

  const checkOut = (renter: Person, holdId: string) =>
    http.post(`/internal/holds/${holdId}/checkout`, renter);

  /** Reports a hold's card authorization, as the payments service does. The reply contains what to do with the card. */
  const reportAuthorization = (
    { id, amountCents }: Pick<Hold, 'id' | 'amountCents'>,
    authorization: { paymentId: string; userId: string; status?: 'authorized' | 'canceled' },
  ) =>
    http.put(`/internal/holds/${id}/authorization`, {
      token: internalSecret,
      body: { amountCents, status: 'authorized', ...authorization },
    });

  /** A tool whose owner has to accept bookings. */
  const toolOnRequest = (overrides: Partial<EventData<'ToolListed'>> = {}) =>
    tool({ terms: { booking: 'request' }, ...overrides });

  /** Makes a request: the card is authorized, and the owner has not answered. */
  const requested = async (
    renter: Person,
    {
      overrides = {},
      ...given
    }: { toolId?: string; ownerId?: string; overrides?: Record<string, unknown> } = {},
  ) => {
    const owner = await person();
    const { toolId, ownerId = owner.userId } = given;
    const requestedTool = toolId ? { toolId } : await toolOnRequest({ ownerId });
    const { body } = await postHold(renter, [line(requestedTool.toolId, overrides)]);
    const hold: Hold = body.hold;
    await checkOut(renter, hold.id);
    const payment = paymentOf(renter, hold.amountCents, hold.id);
    const authorization = { paymentId: payment.paymentId, userId: renter.userId };
    const reply = await reportAuthorization(hold, authorization);
    if (reply.body.approval !== 'pending') throw new Error(JSON.stringify(reply.body));
    const id = hold.lines[0]?.id as string;
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM approvals WHERE hold_id = $1',
      [hold.id],
    );
    const approvalId = rows[0]?.id as string;
    return { id, approvalId, hold, owner, payment, toolId: requestedTool.toolId, authorization };
  };

  const answer = (
    who: Person,
    approvalId: string,
    how: 'accept' | 'decline' | 'withdraw',
    body: object = {},
  ) =>
    http.post(`/api/user/${who.userId}/approvals/${approvalId}/${how}`, {
      token: who.token,
      body,
    });

  const seen = async (who: Person, id: string) => {
    const { status, body } = await http.get(`/api/rentalBookings/${id}/details`, who);
    return { status, ...body.booking };
  };

  const setExpiry = (holdId: string, minutesAgo: number) =>
    pool.query(`UPDATE holds SET expires_at = now() - $2 * interval '1 minute' WHERE id = $1`, [
      holdId,
      minutesAgo,
    ]);

  const holdStatus = async (holdId: string): Promise<string> =>
    (await pool.query('SELECT status FROM holds WHERE id = $1', [holdId])).rows[0].status;

  const paymentOf = (
    renter: Person,
    amountCents: number,
    holdId: string | null,
  ): PaymentSucceeded => ({
    paymentId: randomUUID(),
    userId: renter.userId,
    holdId,
    amountCents,
    currency: 'usd',
    paymentIntentId: `pi_${randomUUID()}`,
    succeededAt: new Date().toISOString(),
  });

  const succeed = async (payment: PaymentSucceeded): Promise<PaymentSucceeded> => {
    await broker.sendNew('PaymentSucceeded', payment, { id: payment.paymentId, version: 1 });
    return payment;
  };

  /** Books a tool: makes a hold, pays it and waits for `BookingCreated`. */
  const booked = async (
    renter: Person,
    toolId: string,
    overrides: Record<string, unknown> = {},
  ): Promise<{ id: string; code: string; payment: PaymentSucceeded }> => {
    const { body, status } = await postHold(renter, [line(toolId, overrides)]);
    if (status !== 201) throw new Error(`The hold was refused: ${JSON.stringify(body)}`);
    const payment = await succeed(paymentOf(renter, body.hold.amountCents, body.hold.id));
    const { id, booking_code: code } = body.hold.lines[0];
    await broker.expectEvent('BookingCreated', (data) => data.bookingId === id);
    return { id, code, payment };
  };

  /** Divides the sums as payments does: first from the unallocated part, then in proportion to what remains. */
  const sharesOf = async (
    { paymentId }: PaymentSucceeded,
    { outside = 0, lost = 0, held = 0 }: GoneSums,
  ): Promise<GoneFromShare[]> => {
    const { rows } = await pool.query<{ bookingId: string; remains: number; free: number }>(
      `SELECT a.booking_id AS "bookingId", a.amount_cents - a.refunded_cents AS remains,
         p.amount_cents - p.rejected_cents - (sum(a.amount_cents) OVER ())::int AS free
       FROM allocations a JOIN payments p ON p.id = a.payment_id WHERE p.id = $1 ORDER BY a.booking_id`,
      [paymentId],
    );
    let free = rows[0]?.free ?? 0;
    let left = rows.map(({ remains }) => remains);
    const take = (cents: number): number[] => {
      const excess = Math.max(0, cents - free);
      free = Math.max(0, free - cents);
      let sum = left.reduce((one, other) => one + other, 0);
      let rest = Math.min(excess, sum);
      const parts = left.map((remains) => {
        const part = Math.ceil((rest * remains) / (sum || 1));
        rest -= part;
        sum -= remains;
        return part;
      });
      left = left.map((remains, index) => remains - (parts[index] ?? 0));
      return parts;
    };
    const [outsideParts, lostParts, heldParts] = [take(outside), take(lost), take(held)];
    return rows.map(({ bookingId }, index) => ({
      bookingId,
      outsideCents: outsideParts[index] ?? 0,
      lostCents: lostParts[index] ?? 0,
      heldCents: heldParts[index] ?? 0,
    }));
  };

  /** Publishes what is gone of a payment's shares and, if the payment is known, waits until it is copied. */
  const publishShares = async (
    payment: PaymentSucceeded,
    { version, ...sums }: GoneSums & { version: number },
  ): Promise<void> => {
    const { paymentId } = payment;
    const shares = await sharesOf(payment, sums);
    const data = { paymentId, shares };
    await broker.sendNew('PaymentSharesChanged', data, { id: paymentId, version });
    await waitFor('the shares', async () => {
      const { rows } = await pool.query('SELECT shares_version FROM payments WHERE id = $1', [
        paymentId,
      ]);
      return !rows[0] || rows[0].shares_version >= version;
    });
  };

  /** Publishes the events of a refund in Stripe's dashboard. `cents` is the total refunded there as of `version`. */
  const refundAtStripe = async (
    payment: PaymentSucceeded,
    {
      cents,
      version = 3,
      disputed = 0,
      withShares = true,
    }: { cents: number; version?: number; disputed?: number; withShares?: boolean },
  ) => {
    const { paymentId, userId, holdId } = payment;
    if (withShares) await publishShares(payment, { version, outside: cents, held: disputed });
    return broker.sendNew(
      'PaymentRefundedAtStripe',
      {
        paymentId,
        userId,
        holdId,
        refundId: `re_${version}`,
        refundCents: cents || 1,
        outcome: cents > 0 ? 'refunded' : 'failed',
        outsideCents: cents,
        disputedCents: disputed,
        heldCents: disputed,
        dispute: disputed > 0 ? 'open' : null,
      },
      { id: paymentId, version },
    );
  };

  /** Publishes the events of a dispute. `withShares: false` for a payment that is locked: the shares could not be copied. */
  const dispute = async (
    payment: PaymentSucceeded,
    state: 'open' | 'won' | 'lost',
    { cents, version, withShares = true }: { cents: number; version: number; withShares?: boolean },
  ) => {
    const { paymentId, userId, holdId } = payment;
    const gone = { open: { held: cents }, won: {}, lost: { lost: cents } };
    if (withShares) await publishShares(payment, { version, ...gone[state] });
    return broker.sendNew(
      'PaymentDisputed',
      {
        paymentId,
        userId,
        holdId,
        disputeId: 'du_1',
        disputeCents: cents,
        state,
        reason: 'fraudulent',
        answerBy: null,
        outsideCents: 0,
        dispute: state,
        disputedCents: state === 'won' ? 0 : cents,
        heldCents: state === 'open' ? cents : 0,
      },
      { id: paymentId, version },
    );
  };

  return {
    sharesOf,
    publishShares,
    refundAtStripe,
    dispute,
    person,
    neighbor,
    toolData,
    tool,
    line,
    postHold,
    held,
    checkOut,
    setExpiry,
    holdStatus,
    paymentOf,
    succeed,
    booked,
    reportAuthorization,
    toolOnRequest,
    requested,
    answer,
    seen,
  };
};

const rowOf = async (pool: Pool, table: 'tools' | 'people', id: string): Promise<unknown> =>
  (await pool.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0];

/** Makes the first writes to a table fail, like a transient fault. Counts them in a sequence, which never rolls back. */
export const failFirstWrites = async (pool: Pool, table: string, times: number): Promise<void> => {
  await pool.query(`
    CREATE SEQUENCE ${table}_failures;
    CREATE FUNCTION fail_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('${table}_failures') <= ${times} THEN RAISE EXCEPTION 'A passing fault'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail_first BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_${table}();
  `);
};
