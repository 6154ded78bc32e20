import type { Server as HttpServer } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveMessages, LiveRequests } from '@lendtools/contracts';
import { id, liveEvents, permissionsOf } from '@lendtools/contracts';
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
import { adminsWith, everyone, type LiveEvent, pushesOf, watchersOf } from './pushes.ts';

interface SocketData {
  /** Undefined for a visitor, who is not logged in. */
  identity?: Identity;
  expiry?: NodeJS.Timeout;
  /** The room of the tool whose calendar the client watches. */
  watched?: string;
}
type Hub = Server<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;
type LiveSocket = Socket<LiveRequests, LiveMessages, DefaultEventsMap, SocketData>;

/** Limits the memory that one user's tabs can take. */
const maxSocketsPerUser = 20;

/** How many visitors may be connected to a replica: leaves enough sockets for logged-in users. */
const maxVisitors = 5_000;
/** How many visitors of one network may be connected: enough for an office behind one address. */
const maxVisitorsOfNetwork = 100;

/** Limit per user; for visitors, per network: enough for a hundred visitors who each open three calendars a minute. */
const mostWatchesPerMinute = 300;

const roomOf = (userId: string): string => `user:${userId}`;
const visitors = 'visitors';
const visitorsOf = (network: string): string => `${visitors}:${network}`;

/**
 * Pushes changes to browsers. A socket with a token joins its user's room, and an admin's socket also a room for each of the
 * role's permissions, until the token expires. A socket without a token receives only public pushes. Each socket may watch the
 * calendar of one tool, which is as public as the tool's page. Data is stored before it is pushed, so a lost push loses no data.
 */
export const createLiveHub = (deps: Deps) => {
  const { authenticator, broker, logger } = deps;
  const origin = new URL(deps.config.PUBLIC_URL).origin;
  const upgraded = new Set<NetSocket>();
  const watches = new MinuteCounts();
  const hub: Hub = new Server({
    path: '/socket.io',
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    // Accept only small frames, because a client sends nothing but its token and the id of a tool.
    maxHttpBufferSize: 8_192,
    connectTimeout: 10_000,
    allowRequest: (request, done) => done(null, request.headers.origin === origin),
  });
  measureSockets(hub, deps);
  hub.use(async (socket, next) => {
    try {
      await identify(socket, deps);
      next(hasRoomFor(hub, socket) ? undefined : new Error('TOO_MANY_SOCKETS'));
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
  hub.on('connection', (socket) => accept(socket, watches));
  authenticator.revocations.onRevoked((userId) => dropRevoked(hub, deps, userId));
  consumeOnEveryReplica(broker, logger, {
    types: liveEvents,
    handle: (event) => push(hub, deps, event),
    // Close all sockets: they missed pushes while the broker was unreachable. Their clients reconnect and fetch what they missed.
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

const countIn = (hub: Hub, room: string): number => hub.sockets.adapter.rooms.get(room)?.size ?? 0;

const measureSockets = (hub: Hub, { metrics }: Deps) =>
  new Gauge({
    name: 'live_sockets',
    help: 'Open sockets of this replica, of members and of visitors',
    labelNames: ['of'],
    registers: [metrics.registry],
    collect() {
      const ofVisitors = countIn(hub, visitors);
      this.set({ of: 'visitors' }, ofVisitors);
      this.set({ of: 'members' }, hub.sockets.sockets.size - ofVisitors);
    },
  });

const identify = async ({ data, handshake }: LiveSocket, { authenticator }: Deps) => {
  const { token } = handshake.auth;
  if (token !== undefined) data.identity = await authenticator.verify(String(token ?? ''));
};

const hasRoomFor = (hub: Hub, { data, handshake }: LiveSocket): boolean =>
  data.identity
    ? countIn(hub, roomOf(data.identity.userId)) < maxSocketsPerUser
    : countIn(hub, visitors) < maxVisitors &&
      countIn(hub, visitorsOf(networkOfVisitor(handshake))) < maxVisitorsOfNetwork;

const accept = (socket: LiveSocket, watches: MinuteCounts): void => {
  const { data, handshake } = socket;
  if (data.identity) {
    const { userId, role } = data.identity;
    void socket.join([userId, ...permissionsOf(role).map(adminsWith)].map(roomOf));
    dropAtExpiry(socket, data.identity);
  } else void socket.join([visitors, visitorsOf(networkOfVisitor(handshake))]);
  const watcher = data.identity?.userId ?? networkOfVisitor(handshake);
  socket.on('tool:watch', (toolId, acknowledge) => {
    if (watches.spend(watcher, mostWatchesPerMinute)) watchTool(socket, toolId, acknowledge);
  });
  socket.on('disconnect', () => {
    clearTimeout(data.expiry);
    // Close the connection too: a client may leave the namespace and keep a connection that no limit counts.
    socket.conn.close();
  });
};

/** @param userId undefined for all users */
const dropRevoked = (hub: Hub, { authenticator }: Deps, userId: string | undefined): void => {
  const { adapter, sockets } = hub.sockets;
  const ids = userId ? (adapter.rooms.get(roomOf(userId)) ?? []) : sockets.keys();
  for (const id of [...ids]) {
    const socket = sockets.get(id);
    const identity = socket?.data.identity;
    if (identity && authenticator.revocations.rejects(identity)) socket.disconnect(true);
  }
};

const push = (hub: Hub, { logger }: Deps, event: LiveEvent): void => {
  for (const { to, name, payload } of pushesOf(event)) {
    const audience = to === everyone ? hub : hub.to(to.map(roomOf));
    const span = { name: `push ${name}`, kind: 'producer' as const, parent: event.traceparent };
    inSpan(span, async () => void audience.emit(name, payload as never)).catch((err) =>
      logger.error({ err }, 'a push failed'),
    );
  }
};

/** Reads the client's address: the gateway sets this header and removes it from outside requests. */
const networkOfVisitor = ({ headers, address }: LiveSocket['handshake']): string =>
  networkOf(String(headers['x-forwarded-for'] ?? address));

/** Lets a socket watch one tool at a time, to limit the number of rooms. Don't trust the client's arguments. */
const watchTool = (socket: LiveSocket, toolId: unknown, acknowledge: unknown): void => {
  if (socket.data.watched) void socket.leave(socket.data.watched);
  const found = id.safeParse(toolId).data;
  socket.data.watched = found && roomOf(watchersOf(found));
  if (!socket.data.watched) return;
  void socket.join(socket.data.watched);
  if (typeof acknowledge === 'function') acknowledge();
};

const dropAtExpiry = (socket: LiveSocket, { expiresAtMs }: Identity): void => {
  socket.data.expiry = setTimeout(() => socket.disconnect(true), expiresAtMs - Date.now());
};
