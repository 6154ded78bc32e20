import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { createMongoDatabase, waitFor } from '@lendtools/testing';
import mongoose, { type Connection } from 'mongoose';
import { restartIfMongoIsStuck } from '../src/restart-if-mongo-is-stuck.ts';

const logger = createLogger('restart-if-mongo-is-stuck', 'silent');
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Connects through a TCP relay. After `cut`, only `directUrl` reaches the server. */
const connectByRelay = async () => {
  const database = await createMongoDatabase();
  const server = new URL(database.url);
  const sockets = new Set<Socket>();
  const relay = net.createServer((near) => {
    const far = net.connect(Number(server.port), server.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String((relay.address() as AddressInfo).port);
  const connection = mongoose.createConnection(url.href, { serverSelectionTimeoutMS: 200 });
  await connection.asPromise();
  ends.push(() => connection.close());
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return { connection, directUrl: database.url, cut };
};

const startCheck = (connection: Connection, otherUrl: string) => {
  const counts = { pings: 0, connects: 0, restarts: 0 };
  const check = restartIfMongoIsStuck({
    ping: async () => {
      await connection.db?.command({ ping: 1 });
      counts.pings++;
    },
    connectAnew: async () => {
      counts.connects++;
      const other = mongoose.createConnection(otherUrl, { serverSelectionTimeoutMS: 200 });
      try {
        await other.asPromise();
      } finally {
        await other.destroy();
      }
    },
    restart: () => counts.restarts++,
    logger,
    everyMs: 10,
    stuckAfterMs: 500,
  });
  ends.push(() => check.stop());
  return counts;
};

describe('restartIfMongoIsStuck', () => {
  it('restarts the process once its MongoDB client is stuck although a new client can connect', async () => {
    const { connection, directUrl, cut } = await connectByRelay();
    const counts = startCheck(connection, directUrl);
    await waitFor('four pings', () => counts.pings > 3);
    expect(counts.restarts).toBe(0);
    cut();
    await waitFor('a restart', () => counts.restarts > 0);
  });

  it('does not restart the process while no new MongoDB client can connect either', async () => {
    const { connection, cut } = await connectByRelay();
    const counts = startCheck(connection, 'mongodb://127.0.0.1:1/');
    await waitFor('a ping', () => counts.pings > 0);
    cut();
    await waitFor('three attempts to connect', () => counts.connects > 2);
    expect(counts.restarts).toBe(0);
  });
});
