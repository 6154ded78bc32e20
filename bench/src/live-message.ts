import { fork } from 'node:child_process';
import { once } from 'node:events';
import { marketplace } from '@lendtools/e2e/marketplace';
import { api, listTool, newPerson, type Person } from '@lendtools/e2e/people';
import { bookingsOf, buyAndCloseTheTab, line } from '@lendtools/e2e/purchases';
import { waitFor } from '@lendtools/testing';
import { io, type Socket } from 'socket.io-client';
import type { Bench } from './bench-marketplace.ts';
import { inShort } from './effort.ts';
import { interleave, median, percentile, type Row } from './statistics.ts';

const messages = inShort(200, 20);
const people = inShort(50, 5);
/** Sockets of each of fifty users on each of three replicas: a little more than a thousand in all. */
const socketsOfEach = 7;

const connect = async (url: string, token?: string): Promise<Socket> => {
  const socket = io(url, {
    transports: ['websocket'],
    auth: { token },
    extraHeaders: { origin: new URL(marketplace().site).origin },
  });
  await Promise.race([
    once(socket as never, 'connect'),
    once(socket as never, 'connect_error').then(([error]) => Promise.reject(error)),
  ]);
  return socket;
};

/** Returns the milliseconds from each send to its arrival. */
const timeEach = async (socket: Socket, event: string, send: () => unknown): Promise<number[]> => {
  const times: number[] = [];
  for (let i = 0; i < messages; i++) {
    const arrived = new Promise<void>((resolve) => socket.once(event, () => resolve()));
    const start = performance.now();
    await Promise.all([send(), arrived.then(() => times.push(performance.now() - start))]);
  }
  return times;
};

/** Opens the thread of a paid booking. Returns the id of its first message. */
const openThread = async (owner: Person, renter: Person): Promise<string> => {
  await buyAndCloseTheTab(renter, [line(await listTool(owner))]);
  const [booking] = await waitFor('the booking', async () => {
    const all = await bookingsOf(renter);
    return all.length > 0 && all;
  });
  const path = `/api/rentalBookings/${booking.id}/send-message`;
  const sent = await waitFor('the thread', async () => {
    const reply = await api().post(path, { token: renter.token, body: { message: 'Hello' } });
    return reply.status === 201 && reply;
  });
  return sent.body.messaging.id;
};

/** Opens a thousand sockets of fifty users, spread over the replicas of the notifications service. */
const openCrowd = async (bench: Bench): Promise<Socket[]> => {
  const crowd: Socket[] = [];
  for (let i = 0; i < people; i++) {
    const { token } = await newPerson();
    for (const url of bench.urlsOf('notifications')) {
      const opening = Array.from({ length: socketsOfEach }, () => connect(url, token));
      crowd.push(...(await Promise.all(opening)));
    }
  }
  return crowd;
};

/** Measures the time from the POST of a reply to its arrival at the other party, with and without a thousand other sockets. */
export const benchLiveMessage = async (bench: Bench): Promise<Row[]> => {
  const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
  const messageId = await openThread(owner, renter);
  const reader = await connect(bench.site, renter.token);
  const tabs = await Promise.all(
    bench.urlsOf('notifications').map((url) => connect(url, renter.token)),
  );
  const servers = [bench.databases.messaging as string, marketplace().broker.amqp];
  const bare = fork(new URL('./bare-message-server.ts', import.meta.url), servers);
  const [port] = (await once(bare, 'message')) as [number];
  const [speaker, listener] = await Promise.all([
    connect(`http://127.0.0.1:${port}`),
    connect(`http://127.0.0.1:${port}`),
  ]);
  const text = 'Nine is fine.';
  const reply = () =>
    timeEach(reader, 'reply:sent', () =>
      api().post(`/api/user/${owner.id}/messaging/${messageId}/send-reply`, {
        token: owner.token,
        body: { message: text },
      }),
    );

  const ms = await interleave({
    bare: async () => median(await timeEach(listener, 'said', () => speaker.emit('say', { text }))),
    reply: async () => median(await reply()),
  });
  const crowd = await openCrowd(bench);
  let arrived = 0;
  for (const tab of tabs) tab.on('reply:sent', () => arrived++);
  const among = await reply();
  const expected = messages * tabs.length;
  // Ignore a timeout: the report shows how many messages are missing.
  await waitFor('the tabs', () => arrived >= expected, 10_000).catch(() => {});

  for (const socket of [reader, speaker, listener, ...tabs, ...crowd]) socket.close();
  bare.kill();
  const [p50, p99] = [50, 99].map((percent) => percentile(among, percent)) as [number, number];
  return [
    {
      name: "A message, POST to the other's socket : bare insert, publish and emit, median",
      measured: `${(ms.reply / ms.bare).toFixed(1)} × (${ms.reply.toFixed(2)} : ${ms.bare.toFixed(2)} ms)`,
      bound: '≤ 2 ×',
      kept: ms.reply / ms.bare <= 2,
    },
    {
      name: `A message while ${crowd.length} sockets are open on ${tabs.length} replicas`,
      measured: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      bound: 'p99 ≤ 50 ms',
      kept: p99 <= 50,
    },
    {
      name: "Its arrivals at the reader's tabs, one at each replica",
      measured: `${arrived} of ${expected}`,
      bound: 'each once',
      kept: arrived === expected,
    },
  ];
};
