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
  /** A visitor has none. */
  identity?: Identity;
  expiry?: NodeJS.Timeout;
  /** The room of the tool whose calendar it watches. */
  watched?: string;
}
type Hub = Server<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;
type LiveSocket = Socket<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;

/** Nobody needs more tabs; more would be somebody else's memory. */
const maxSocketsPerUser = 20;

/** Of one replica: what visitors take must leave enough for those who are logged in. */
const maxVisitors = 5_000;
/** Enough for an office. */
const maxVisitorsOfNetwork = 100;

/** Per member, or for all visitors of one network together. A hundred visitors may each open three calendars a minute. */
const mostWatchesPerMinute = 300;

const roomOf = (userId: string): string => `user:${userId}`;
const visitors = 'visitors';
const visitorsOf = (network: string): string => `${visitors}:${network}`;

/**
 * The sockets of everybody who looks at the site. A socket is its user's alone: it joins their room, by its token, an
 * admin's also that of the admins, and lives as long as the token does. One that shows no token is a visitor's, and hears
 * what is for everybody. Each may watch the calendar of one tool, as public as its page. What is pushed has been stored before, so a lost push costs nothing.
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
    // A client has nothing to send but the token at its connecting, and the id of a tool.
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
      // A client may leave its rooms and keep the connection, which no limit would count.
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
    // What was published while the broker was away did not arrive: whoever is connected reconnects, and asks for what they
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

/** The gateway says who asks, and lets nobody else say so. */
const networkOfVisitor = ({ headers, address }: LiveSocket['handshake']): string =>
  networkOf(String(headers['x-forwarded-for'] ?? address));

/** A socket watches one tool at most: of what it asks for nothing piles up. Nothing that it sends is believed. */
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
