import type { Server as HttpServer } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveMessages, LiveRequests } from '@lendtools/contracts';
import { id, liveEvents } from '@lendtools/contracts';
import { consumeOnEveryReplica } from '@lendtools/event-bus';
import {
  AppError,
  Gauge,
  type Identity,
  inSpan,
  MinuteCounts,
  networkOf,
} from '@lendtools/service-kit';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import type { Deps } from '../deps.ts';
import { admins, everybody, pushesOf, watchersOf } from './pushes.ts';

interface SocketData {
  /** Missing for a visitor. */
  identity?: Identity;
  expiry?: NodeJS.Timeout;
  /** The room of the tool whose calendar it watches. */
  watched?: string;
}
type Hub = Server<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;
type LiveSocket = Socket<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;

/** Limits the memory that one user's tabs can take. */
const maxSocketsPerUser = 20;

/** Per replica. Leaves enough sockets for logged-in users. */
const maxVisitors = 5_000;
/** Enough for an office. */
const maxVisitorsOfNetwork = 100;

/** Per user, or for all visitors of a network together. A hundred visitors may each open three calendars a minute. */
const mostWatchesPerMinute = 300;

const roomOf = (userId: string): string => `user:${userId}`;
const visitors = 'visitors';
const visitorsOf = (network: string): string => `${visitors}:${network}`;

/**
 * The sockets of all open pages. A socket's token puts it in its user's room, and an admin's also in the admins'
 * room; the socket lives as long as the token. Without a token it belongs to a visitor and receives only public
 * pushes. Each may watch the calendar of one tool, which is as public as its page. Everything is stored before it is
 * pushed, so a lost push costs nothing.
 */
export const createLiveHub = (deps: Deps) => {
  const { authenticator, broker, logger, metrics } = deps;
  const origin = new URL(deps.config.PUBLIC_URL).origin;
  const upgraded = new Set<NetSocket>();
  const watches = new MinuteCounts();
  const hub: Hub = new Server({
    path: '/socket.io',
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    // A client only sends its token when it connects, and the id of a tool.
    maxHttpBufferSize: 8_192,
    connectTimeout: 10_000,
    allowRequest: (request, done) => done(null, request.headers.origin === origin),
  });

  const countIn = (room: string): number => hub.sockets.adapter.rooms.get(room)?.size ?? 0;
  const hasRoomFor = ({ data, handshake }: LiveSocket): boolean =>
    data.identity
      ? countIn(roomOf(data.identity.userId)) < maxSocketsPerUser
      : countIn(visitors) < maxVisitors &&
        countIn(visitorsOf(networkOfVisitor(handshake))) < maxVisitorsOfNetwork;

  new Gauge({
    name: 'live_sockets',
    help: 'Open sockets of this replica, of members and of visitors',
    labelNames: ['of'],
    registers: [metrics.registry],
    collect() {
      const ofVisitors = countIn(visitors);
      this.set({ of: 'visitors' }, ofVisitors);
      this.set({ of: 'members' }, hub.sockets.sockets.size - ofVisitors);
    },
  });

  hub.use(async (socket, next) => {
    try {
      if (socket.handshake.auth.token !== undefined)
        socket.data.identity = await authenticator.verify(
          String(socket.handshake.auth.token ?? ''),
        );
      next(hasRoomFor(socket) ? undefined : new Error('TOO_MANY_SOCKETS'));
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });

  hub.on('connection', (socket) => {
    const { data, handshake } = socket;
    if (data.identity) {
      const { userId, role } = data.identity;
      void socket.join([roomOf(userId), ...(role === 'Admin' ? [roomOf(admins)] : [])]);
      dropAtExpiry(socket, data.identity);
    } else void socket.join([visitors, visitorsOf(networkOfVisitor(handshake))]);
    const watcher = data.identity?.userId ?? networkOfVisitor(handshake);
    socket.on('tool:watch', (toolId, whenWatching) => {
      if (watches.spend(watcher, mostWatchesPerMinute)) watchTool(socket, toolId, whenWatching);
    });
    socket.on('disconnect', () => {
      clearTimeout(data.expiry);
      // A client may leave the namespace and keep its connection, which no limit would count.
      socket.conn.close();
    });
  });

  authenticator.revocations.onRevoked((userId) => {
    const { adapter, sockets } = hub.sockets;
    const theirs = userId ? (adapter.rooms.get(roomOf(userId)) ?? []) : sockets.keys();
    for (const id of [...theirs]) {
      const socket = sockets.get(id);
      const identity = socket?.data.identity;
      if (identity && authenticator.revocations.refuses(identity)) socket.disconnect(true);
    }
  });

  consumeOnEveryReplica(broker, logger, {
    types: liveEvents,
    handle(event) {
      for (const { to, name, payload } of pushesOf(event)) {
        const audience = to === everybody ? hub : hub.to(to.map(roomOf));
        const span = { name: `push ${name}`, kind: 'producer' as const, parent: event.traceparent };
        inSpan(span, async () => void audience.emit(name, payload as never)).catch((error) =>
          logger.error({ err: error }, 'a push failed'),
        );
      }
    },
    // Pushes were missed while the broker was unreachable, so make clients reconnect and fetch what they missed.
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

    /** Closes every socket in a way that makes its client reconnect to another replica. */
    async stop(): Promise<void> {
      hub.engine.close();
      await delay(100);
      for (const socket of upgraded) socket.destroy();
    },
  };
};

/** The gateway sets this header and strips it from outside requests. */
const networkOfVisitor = ({ headers, address }: LiveSocket['handshake']): string =>
  networkOf(String(headers['x-forwarded-for'] ?? address));

/**
 * Watches one tool per socket, so that rooms do not pile up. The arguments come from the client and are not trusted.
 */
const watchTool = (socket: LiveSocket, toolId: unknown, whenWatching: unknown): void => {
  if (socket.data.watched) void socket.leave(socket.data.watched);
  const found = id.safeParse(toolId).data;
  socket.data.watched = found && roomOf(watchersOf(found));
  if (!socket.data.watched) return;
  void socket.join(socket.data.watched);
  if (typeof whenWatching === 'function') whenWatching();
};

const dropAtExpiry = (socket: LiveSocket, { expiresAtMs }: Identity): void => {
  socket.data.expiry = setTimeout(() => socket.disconnect(true), expiresAtMs - Date.now());
};
