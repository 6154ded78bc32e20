import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** Blocks publishing connections, like a broker short of disk. The real alarm would block every test that shares the broker. */
export interface BlockingProxy {
  url: string;
  block(): void;
  unblock(): void;
  /** Bytes, not counting heartbeats, that clients sent while the broker was blocked. */
  readonly heldBytes: number;
  stop(): Promise<void>;
}

const frame = (method: number, text?: string): Buffer => {
  const argument = text === undefined ? '' : String.fromCharCode(text.length) + text;
  const payload = Buffer.concat([Buffer.from([0, 10, 0, method]), Buffer.from(argument)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(payload.length);
  return Buffer.concat([Buffer.from([1, 0, 0]), size, payload, Buffer.from([0xce])]);
};
const blocked = frame(60, 'low on disk');
const unblocked = frame(61);
const heartbeat = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce]);

export const startBlockingProxy = async (amqpUrl: string): Promise<BlockingProxy> => {
  const target = new URL(amqpUrl);
  const publishing = new Set<Socket>();
  const held: [from: Socket, data: Buffer][] = [];
  const upstreamOf = new Map<Socket, Socket>();
  let isBlocked = false;

  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    upstreamOf.set(client, upstream);
    let start = '';
    client.on('data', (data) => {
      // The first frames contain the connection's name. A connection counts as publishing unless its name contains "consumes".
      if (start.length < 2_000) {
        start += data.toString('latin1');
        if (start.includes('consumes')) publishing.delete(client);
        else publishing.add(client);
      }
      if (isBlocked && publishing.has(client)) held.push([client, data]);
      else upstream.write(data);
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
    client.on('close', () => publishing.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.toString(),
    get heldBytes() {
      return held
        .filter(([, data]) => !data.equals(heartbeat))
        .reduce((sum, [, data]) => sum + data.length, 0);
    },
    block() {
      isBlocked = true;
      for (const client of publishing) client.write(blocked);
    },
    unblock() {
      if (!isBlocked) return;
      isBlocked = false;
      for (const [client, data] of held.splice(0)) upstreamOf.get(client)?.write(data);
      for (const client of publishing) client.write(unblocked);
    },
    async stop() {
      for (const [client, upstream] of upstreamOf) {
        client.destroy();
        upstream.destroy();
      }
      server.close();
    },
  };
};
