import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@lendtools/contracts';
import { violations } from '@lendtools/e2e/invariants';
import { marketplace } from '@lendtools/e2e/marketplace';
import { listTool, newPerson, type Person } from '@lendtools/e2e/people';
import { createIntent, hold, line, payByCard } from '@lendtools/e2e/purchases';
import { waitFor } from '@lendtools/testing';
import { io, type Socket } from 'socket.io-client';
import type { Bench } from './bench-marketplace.ts';
import { percentile, type Row } from './statistics.ts';

const renterCount = 50;
const seconds = 60;
const units = 50;
const ownerCount = 10;
/** The test rigs last. */
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
}

/** Resolves each booking's wait with the moment at which its owner's socket heard of it. */
class Ears {
  readonly #arrivals = new Map<string, number>();
  readonly #sockets: Socket[] = [];

  async open(owner: Person): Promise<void> {
    const socket = io(marketplace().site, {
      transports: ['websocket'],
      auth: { token: owner.token },
      extraHeaders: { origin: new URL(marketplace().site).origin },
    });
    this.#sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.on('notice:created', ({ kind, bookingId }: { kind: string; bookingId: string }) => {
      if (kind === 'tool-booked') this.#arrivals.set(bookingId, performance.now());
    });
  }

  arrivalOf(bookingId: string): Promise<number> {
    return waitFor(`the notice of ${bookingId}`, () => this.#arrivals.get(bookingId), 30_000);
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

/** Fifty units a day: a tool is bought until its last unit is, then the next one. */
const takeSlot = (stalls: Stall[]): string => {
  const stall = stalls.find(({ slots }) => slots > 0);
  if (!stall) throw new Error('Every tool is sold out: list more of them');
  stall.slots--;
  return stall.toolId;
};

const timed = async <T>(times: number[], work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
};

const buyOne = async (renter: Person, toolId: string, times: Times, ears: Ears): Promise<void> => {
  const held = await timed(times.hold, () => hold(renter, [line(toolId)]));
  if (held.status !== 201) throw new Error(`hold: ${held.status} ${held.body.code}`);
  const { id: holdId, amountCents: amount, lines } = held.body.hold;
  const intent = await timed(times.intent, () => createIntent(renter, { amount, holdId }));
  if (intent.status !== 201) throw new Error(`intent: ${intent.status} ${intent.body.code}`);
  await payByCard(intent.body.clientSecret);
  const paid = performance.now();
  times.noticed.push((await ears.arrivalOf(lines[0].id)) - paid);
};

const buyUntil = async (end: number, renter: Person, stalls: Stall[], times: Times, ears: Ears) => {
  while (performance.now() < end) {
    await buyOne(renter, takeSlot(stalls), times, ears).catch((error: Error) =>
      times.errors.push(error.message),
    );
  }
};

const inTurns = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let i = 0; i < count; i += 5) {
    const turn = Array.from({ length: Math.min(5, count - i) }, (_, j) => make(i + j));
    made.push(...(await Promise.all(turn)));
  }
  return made;
};

/** Fifty renters buy for a minute, each as fast as the last purchase allows; then the invariants are checked. */
export const benchPurchases = async (bench: Bench): Promise<Row[]> => {
  const owners = await inTurns(ownerCount, () => newPerson());
  const renters = await inTurns(renterCount, () => newPerson());
  const toolIds = await inTurns(80, (i) =>
    listTool(owners[i % ownerCount] as Person, { quantity: units }),
  );
  const stalls = toolIds.map((toolId) => ({ toolId, slots: units }));
  const ears = new Ears();
  for (const owner of owners) await ears.open(owner);
  const times: Times = { hold: [], intent: [], noticed: [], errors: [] };

  const readCpu = () => processes.map((name) => bench.cpuMsOf(name));
  const before = readCpu();
  const end = performance.now() + seconds * 1_000;
  await Promise.all(renters.map((renter) => buyUntil(end, renter, stalls, times, ears)));
  await delay(2_000);
  const used = readCpu().map((ms, i) => (ms - (before[i] ?? 0)) / times.noticed.length);
  const broken = await violations();
  ears.close();

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
      name: `${renterCount} renters buying for a minute`,
      measured: figures.join('; '),
      bound: 'no errors',
      kept: times.errors.length === 0,
    },
    {
      name: 'Processor time of a purchase',
      measured: `${used.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms: ${processes
        .map((name, i) => `${name} ${used[i]?.toFixed(1)}`)
        .join(', ')}`,
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
