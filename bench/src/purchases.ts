import { setTimeout as delay } from 'node:timers/promises';
import { type Notice, serviceNames } from '@lendtools/contracts';
import { violations } from '@lendtools/e2e/invariants';
import { marketplace } from '@lendtools/e2e/marketplace';
import { listTool, newPerson, type Person } from '@lendtools/e2e/people';
import { createIntent, hold, line, payByCard } from '@lendtools/e2e/purchases';
import { waitFor } from '@lendtools/testing';
import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import type { Bench } from './bench-marketplace.ts';
import { inShort } from './effort.ts';
import { pgbenchRate } from './pgbench.ts';
import { median, percentile, type Row } from './statistics.ts';

const renterCount = 50;
const seconds = inShort(60, 10);
const units = 50;
const ownerCount = 10;
/** Lists the processes in the order of the report. The test doubles come last. */
const processes = [...serviceNames, 'gateway', 'postgres', 'rabbitmq', 'mongodb', 'stripe', 'mail'];

interface Stall {
  toolId: string;
  slots: number;
}

interface Times {
  hold: number[];
  intent: number[];
  noticed: number[];
  errors: string[];
  /** All times are by this machine's clock, which the services share. */
  paidAtMs: Map<string, number>;
}

interface Arrival {
  createdAtMs: number;
  arrivedAtMs: number;
}

/** Records when each booking's notice arrives at the owner's socket. */
class NoticeListener {
  readonly #arrivals = new Map<string, number>();
  readonly notices = new Map<string, Arrival>();
  readonly #sockets: Socket[] = [];

  async open(owner: Person): Promise<void> {
    const socket = io(marketplace().site, {
      transports: ['websocket'],
      auth: { token: owner.token },
      extraHeaders: { origin: new URL(marketplace().site).origin },
    });
    this.#sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.on('notice:created', ({ kind, bookingId, createdAt }: Notice) => {
      if (kind !== 'tool-booked' || !bookingId) return;
      this.#arrivals.set(bookingId, performance.now());
      this.notices.set(bookingId, { createdAtMs: Date.parse(createdAt), arrivedAtMs: Date.now() });
    });
  }

  arrivalOf(bookingId: string): Promise<number> {
    return waitFor(`the notice of ${bookingId}`, () => this.#arrivals.get(bookingId), 30_000);
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

/** Rotates through the tools, so that renters rarely compete for one. */
const takeSlot = (stalls: Stall[]): string => {
  const stall = stalls.find(({ slots }) => slots > 0);
  if (!stall) throw new Error('Every tool is sold out: list more of them');
  stall.slots--;
  stalls.push(...stalls.splice(0, stalls.indexOf(stall) + 1));
  return stall.toolId;
};

const timed = async <T>(times: number[], work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
};

const buyOne = async (
  renter: Person,
  toolId: string,
  times: Times,
  listener: NoticeListener,
): Promise<void> => {
  const held = await timed(times.hold, () => hold(renter, [line(toolId)]));
  if (held.status !== 201) throw new Error(`hold: ${held.status} ${held.body.code}`);
  const { id: holdId, amountCents: amount, lines } = held.body.hold;
  const intent = await timed(times.intent, () => createIntent(renter, { amount, holdId }));
  if (intent.status !== 201) throw new Error(`intent: ${intent.status} ${intent.body.code}`);
  await payByCard(intent.body.clientSecret);
  const paid = performance.now();
  times.paidAtMs.set(lines[0].id, Date.now());
  times.noticed.push((await listener.arrivalOf(lines[0].id)) - paid);
};

const buyUntil = async (
  end: number,
  renter: Person,
  stalls: Stall[],
  times: Times,
  listener: NoticeListener,
) => {
  while (performance.now() < end) {
    await buyOne(renter, takeSlot(stalls), times, listener).catch((error: Error) =>
      times.errors.push(error.message),
    );
  }
};

const read = async <T>(url: string | undefined, sql: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
};

interface Published {
  id: string;
  about: string;
  cause: string;
  begunAtMs: number;
  publishedAtMs: number;
}

/** Returns events with the start of their transaction and the time when the broker confirmed them. */
const publishedBy = (url: string | undefined, type: string): Promise<Published[]> =>
  read(
    url,
    `SELECT id, aggregate_id AS about, envelope->>'causationId' AS cause,
       extract(epoch FROM created_at)::float8 * 1000 AS "begunAtMs",
       extract(epoch FROM published_at)::float8 * 1000 AS "publishedAtMs"
     FROM outbox_messages WHERE type = '${type}'`,
  );

/** Returns the median duration of each step between a payment and the owner's notice. */
const stepsOf = async (
  bench: Bench,
  { paidAtMs }: Times,
  { notices }: NoticeListener,
): Promise<string> => {
  const { payments, bookings } = bench.databases;
  const succeeded = new Map(
    (await publishedBy(payments, 'PaymentSucceeded')).map((each) => [each.id, each]),
  );
  const steps: Record<string, number[]> = {};
  for (const { about, cause, ...created } of await publishedBy(bookings, 'BookingCreated')) {
    const [paid, payment, notice] = [paidAtMs.get(about), succeeded.get(cause), notices.get(about)];
    if (!paid || !payment || !notice) continue;
    const moments = {
      'payments records it': payment.begunAtMs,
      published: payment.publishedAtMs,
      'bookings begins': created.begunAtMs,
      'published ': created.publishedAtMs,
      'notice created': notice.createdAtMs,
      'arrived at the socket': notice.arrivedAtMs,
    };
    let before = paid;
    for (const [step, at] of Object.entries(moments)) {
      steps[step] = [...(steps[step] ?? []), at - before];
      before = at;
    }
  }
  return Object.entries(steps)
    .map(([step, ms]) => `${step.trim()} ${median(ms).toFixed(0)}`)
    .join(', ');
};

const commitsOf = async ({
  databases: { payments, bookings, catalog },
}: Bench): Promise<number> => {
  const counts = await Promise.all(
    [payments, bookings, catalog].map((url) =>
      read<{ n: number }>(
        url,
        'SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()',
      ),
    ),
  );
  return counts.reduce((sum, [row]) => sum + (row?.n ?? 0), 0);
};

/** Only a rough comparison of our rate with what PostgreSQL can do, because pgbench's transactions differ from ours. */
const compareWithPgbench = (rate: number, commits: number, pgbench: number | undefined): string => {
  if (pgbench === undefined) return 'pgbench is not installed';
  const most = pgbench / commits;
  return `${((100 * rate) / most).toFixed(0)} % (${rate.toFixed(1)} : ${most.toFixed(1)}; ${commits.toFixed(0)} transactions each, of pgbench's ${pgbench.toFixed(0)} a second)`;
};

const inTurns = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let i = 0; i < count; i += 5) {
    const turn = Array.from({ length: Math.min(5, count - i) }, (_, j) => make(i + j));
    made.push(...(await Promise.all(turn)));
  }
  return made;
};

/** Fifty renters buy for a minute, one purchase after the other. Then the invariants are checked. */
export const benchPurchases = async (bench: Bench): Promise<Row[]> => {
  const owners = await inTurns(ownerCount, () => newPerson());
  const renters = await inTurns(renterCount, () => newPerson());
  const toolIds = await inTurns(80, (i) =>
    listTool(owners[i % ownerCount] as Person, { quantity: units }),
  );
  const stalls = toolIds.map((toolId) => ({ toolId, slots: units }));
  const listener = new NoticeListener();
  for (const owner of owners) await listener.open(owner);
  const times: Times = { hold: [], intent: [], noticed: [], errors: [], paidAtMs: new Map() };

  const readCpu = () => processes.map((name) => bench.cpuMsOf(name));
  const [before, commitsBefore] = [readCpu(), await commitsOf(bench)];
  const end = performance.now() + seconds * 1_000;
  await Promise.all(renters.map((renter) => buyUntil(end, renter, stalls, times, listener)));
  await delay(2_000);
  const used = readCpu().map((ms, i) => (ms - (before[i] ?? 0)) / times.noticed.length);
  const commits = ((await commitsOf(bench)) - commitsBefore) / times.noticed.length;
  const steps = await stepsOf(bench, times, listener);
  const pgbench = await pgbenchRate(bench.databases.bookings as string);
  const broken = await violations();
  listener.close();

  const spread = (values: number[]): string =>
    `p50 ${percentile(values, 50).toFixed(0)} ms, p99 ${percentile(values, 99).toFixed(0)} ms`;
  const figures = [
    `${(times.noticed.length / seconds).toFixed(1)} purchases/s`,
    `hold ${spread(times.hold)}`,
    `intent ${spread(times.intent)}`,
    `paid to owner's notice ${spread(times.noticed)}`,
  ];
  for (const problem of [...new Set(times.errors), ...broken].slice(0, 20))
    console.log(`  ${problem}`);
  return [
    {
      name: `${renterCount} renters buying for ${seconds} seconds`,
      measured: figures.join('; '),
      bound: 'no errors',
      kept: times.errors.length === 0,
    },
    {
      name: "From the payment to the owner's notice, medians in ms",
      measured: steps,
      bound: 'as measured',
      kept: true,
    },
    {
      name: 'CPU time per purchase',
      measured: `${used.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms: ${processes
        .map((name, i) => `${name} ${used[i]?.toFixed(1)}`)
        .join(', ')}`,
      bound: 'as measured',
      kept: true,
    },
    {
      name: 'Purchases/s : the maximum at the same number of pgbench transactions each',
      measured: compareWithPgbench(times.noticed.length / seconds, commits, pgbench),
      bound: 'as measured',
      kept: true,
    },
    {
      name: 'Invariants afterwards',
      measured: `${broken.length} violations, ${times.errors.length} errors`,
      bound: 'none',
      kept: broken.length === 0,
    },
  ];
};
