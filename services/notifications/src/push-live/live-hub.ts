import type { Server as HttpServer } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveMessages } from '@lendtools/contracts';
import { liveEvents } from '@lendtools/contracts';
import { hearOnEveryReplica } from '@lendtools/event-bus';
import { AppError, type Identity } from '@lendtools/service-kit';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import type { Deps } from '../deps.ts';
import { pushesOf } from './pushes.ts';

interface SocketData {
  identity: Identity;
  expiry: NodeJS.Timeout;
}
/** A client has nothing to ask of the hub. */
type Requests = Record<string, never>;
type Hub = Server<Requests, LiveMessages, DefaultEventsMap, SocketData>;
type LiveSocket = Socket<Requests, LiveMessages, DefaultEventsMap, SocketData>;

/** Nobody needs more tabs; more would be somebody else's memory. */
const maxSocketsPerUser = 20;

const roomOf = (userId: string): string => `user:${userId}`;

/**
 * The sockets of everybody who looks at the site. A socket is its user's alone: it joins one room, by its token, and
 * lives as long as the token does. What is pushed has been stored before, so a lost push costs nothing.
 */
export const createLiveHub = (deps: Deps) => {
  const { authenticator, broker, logger } = deps;
  const origin = new URL(deps.config.PUBLIC_URL).origin;
  const upgraded = new Set<NetSocket>();
  const hub: Hub = new Server({
    path: '/socket.io',
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    // A client has nothing to send but the token at its connecting.
    maxHttpBufferSize: 8_192,
    connectTimeout: 10_000,
    allowRequest: (request, done) => done(null, request.headers.origin === origin),
  });

  hub.use(async (socket, next) => {
    try {
      socket.data.identity = await authenticator.verify(String(socket.handshake.auth.token ?? ''));
      const open = hub.sockets.adapter.rooms.get(roomOf(socket.data.identity.userId))?.size ?? 0;
      next(open < maxSocketsPerUser ? undefined : new Error('TOO_MANY_SOCKETS'));
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });

  hub.on('connection', (socket) => {
    void socket.join(roomOf(socket.data.identity.userId));
    dropAtExpiry(socket);
    socket.on('disconnect', () => clearTimeout(socket.data.expiry));
  });

  authenticator.revocations.onRevoked((userId) => {
    const { adapter, sockets } = hub.sockets;
    const theirs = userId ? (adapter.rooms.get(roomOf(userId)) ?? []) : sockets.keys();
    for (const id of [...theirs]) {
      const socket = sockets.get(id);
      if (socket && authenticator.revocations.refuses(socket.data.identity))
        socket.disconnect(true);
    }
  });

  hearOnEveryReplica(broker, logger, {
    types: liveEvents,
    handle(event) {
      for (const { userIds, name, payload } of pushesOf(event))
        hub.to(userIds.map(roomOf)).emit(name, payload as never);
    },
    // What was said while the broker was away was not heard: whoever is connected comes again, and asks for what they
    // missed.
    async onConnected() {
      for (const socket of hub.sockets.sockets.values()) socket.conn.close();
    },
  });

  return {
    attach(server: HttpServer): void {
      hub.attach(server);
      server.on('upgrade', (_request, socket: NetSocket) => {
        upgraded.add(socket);
        socket.once('close', () => upgraded.delete(socket));
      });
    },

    /** Lets go of every socket in a way that makes its client come back, to another replica. */
    async stop(): Promise<void> {
      hub.engine.close();
      await delay(100);
      for (const socket of upgraded) socket.destroy();
    },
  };
};

const dropAtExpiry = (socket: LiveSocket): void => {
  const { expiresAtMs } = socket.data.identity;
  socket.data.expiry = setTimeout(() => socket.disconnect(true), expiresAtMs - Date.now());
};
