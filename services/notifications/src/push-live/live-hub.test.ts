import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { accountRegistered, bookingCreated, metricIn, waitFor } from '@lendtools/testing';
import { io, type Socket } from 'socket.io-client';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../test/notifications-service.ts';

const site = 'http://lendtools.test';

let service: NotificationsService;
const open = new Set<Socket>();

beforeAll(async () => {
  service = await startNotificationsService();
  await expectPushes();
});
afterEach(() => {
  for (const socket of open) socket.disconnect();
  open.clear();
});
afterAll(() => service.stop());

const dial = (token: unknown, { origin = site, url = service.running.url, headers = {} } = {}) => {
  const socket = io(url, {
    transports: ['websocket'],
    auth: { token },
    extraHeaders: { origin, ...headers },
    forceNew: true,
    reconnection: false,
  });
  open.add(socket);
  const heard: [string, { id?: string; bookingId?: string }][] = [];
  socket.onAny((name, payload) => heard.push([name, payload]));
  const ended: string[] = [];
  socket.on('disconnect', (reason) => ended.push(reason));
  const outcome = new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', (error) => resolve(error.message));
  });
  return { socket, heard, ended, outcome };
};

const listen = async (userId: string, claims = {}, options = {}) => {
  const dialled = dial(await service.accounts.sign({ userId, ...claims }), options);
  expect(await dialled.outcome).toBe('connected');
  return { ...dialled, userId };
};

/** Waits until the hub receives pushes: its queue exists once the service has connected to the broker. */
const expectPushes = (url = service.running.url) =>
  waitFor('a push', async () => {
    const { userId: ownerId, heard } = await listen(randomUUIDv7(), {}, { url });
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId });
    return waitFor('a push', () => heard[0], 2_000);
  });

const socketCounts = async () => {
  const { body } = await service.http.get('/metrics');
  const count = (of: string) => metricIn(body, 'live_sockets', { of });
  return { members: count('members'), visitors: count('visitors') };
};

describe('the live hub', () => {
  it('rejects sockets with missing, expired and revoked tokens', async () => {
    const expired = await service.accounts.sign({ expiresInSeconds: -1 });
    const session = { sessionId: randomUUID(), userId: randomUUIDv7() };
    const ended = await service.accounts.sign(session);
    await waitFor('the end', async () => {
      await service.broker.sendNew('SessionEnded', session);
      return (await dial(ended).outcome) === 'UNAUTHORIZED';
    });

    const outcomes = [null, '', 'x', { $ne: null }, expired, ended].map(
      (token) => dial(token).outcome,
    );

    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['UNAUTHORIZED']));
  });

  it('accepts sockets of visitors, who receive only public pushes', async () => {
    const visitor = dial(undefined);
    expect(await visitor.outcome).toBe('connected');
    const { heard } = await listen(randomUUIDv7());
    const [ownerId, categoryId] = [randomUUIDv7(), randomUUIDv7()];
    const saved = { id: categoryId, name: 'Ladders', image: 'null' };
    const data = { categoryId, name: 'Ladders', image: 'null' };

    visitor.socket.emit('join', `user:${ownerId}`);
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId });
    await service.broker.sendNew('CategoryAdded', data);
    await service.broker.sendNew('CategoryUpdated', data);
    await service.broker.sendNew('CategoryRemoved', { categoryId });

    await waitFor('all pushes', () => visitor.heard.length >= 3 && heard.length >= 3);
    const pushes = [
      ['category:saved', saved],
      ['category:saved', saved],
      ['category:removed', { id: categoryId }],
    ];
    expect([visitor.heard, heard]).toEqual([pushes, pushes]);
  });

  it('counts the sockets of members and visitors', async () => {
    const before = await socketCounts();
    await listen(randomUUIDv7());
    const visitor = dial(undefined);
    expect(await visitor.outcome).toBe('connected');

    const { members, visitors } = await socketCounts();

    expect([members - before.members, visitors - before.visitors]).toEqual([1, 1]);
  });

  it('limits the sockets of visitors from one network', async () => {
    const from = (address: string) => dial(undefined, { headers: { 'x-forwarded-for': address } });

    const outcomes = await Promise.all(
      Array.from({ length: 110 }, (_, i) => from(`2001:db8::${i + 1}`).outcome),
    );

    expect(outcomes.filter((outcome) => outcome === 'connected')).toHaveLength(100);
    expect(new Set(outcomes)).toEqual(new Set(['connected', 'TOO_MANY_SOCKETS']));
    expect(await from('2001:db8:0:1::1').outcome).toBe('connected');
    await listen(randomUUIDv7());
  });

  it('rejects sockets from pages of other sites', async () => {
    const token = await service.accounts.sign();

    const outcome = await dial(token, { origin: 'https://evil.example' }).outcome;

    expect(outcome).not.toBe('connected');
  });
});

describe('a socket', () => {
  it('sends a user’s pushes to the user’s sockets and to no others', async () => {
    const owner = await listen(randomUUIDv7());
    const renter = await listen(randomUUIDv7());
    const stranger = await listen(randomUUIDv7());
    const booking = bookingCreated({
      ownerId: owner.userId,
      renterId: renter.userId,
    });
    const said = messageSent({
      bookingId: booking.bookingId,
      fromUserId: booking.renterId,
      toUserId: booking.ownerId,
    });

    stranger.socket.emit('join', `user:${booking.ownerId}`);
    await service.broker.sendNew('BookingCreated', booking);
    await service.broker.sendNew('MessageSent', said);

    const names = () => [owner, renter].map(({ heard }) => heard.map(([name]) => name).sort());
    await waitFor('all pushes', () => names()[0]?.length === 4 && names()[1]?.length === 3);
    expect(names()).toEqual([
      ['booking:changed', 'message:sent', 'notice:created', 'notice:created'],
      ['booking:changed', 'message:sent', 'notice:created'],
    ]);
    expect(owner.heard.find(([name]) => name === 'message:sent')?.[1]).toEqual({
      id: said.messageId,
      bookingId: said.bookingId,
      message: said.text,
      user: { id: said.fromUserId, first_name: 'Rita', last_name: 'Renter' },
      createdAt: said.sentAt,
      place: 0,
    });
    expect(stranger.heard).toEqual([]);
  });

  it('sends the changes of an account and its new tools to its own sockets', async () => {
    const owner = await listen(randomUUIDv7());
    const stranger = await listen(randomUUIDv7());
    const account = accountRegistered({ userId: owner.userId, firstName: 'Olga' });
    const tool = {
      toolId: randomUUIDv7(),
      ownerId: owner.userId,
      categoryId: randomUUIDv7(),
      name: 'Ladder',
      description: 'Eight steps',
      priceCents: 900,
      rentalCircle: 'daily',
      status: 'Available',
      units: 1,
      timeZone: 'America/Chicago',
      coverImage: 'null',
    } as const;

    await service.broker.sendNew('AccountUpdated', account);
    await service.broker.sendNew('ToolListed', tool);

    await waitFor('both pushes', () => owner.heard.length === 2);
    const { email, image, role, lastName: last_name } = account;
    expect(owner.heard).toEqual([
      ['account:changed', { id: owner.userId, role, first_name: 'Olga', last_name, email, image }],
      ['tool:changed', { toolId: tool.toolId }],
    ]);
    expect(stranger.heard).toEqual([]);
  });

  it('sends calendar changes of a tool to the sockets that watch it, logged in or not', async () => {
    const [toolId, other] = [randomUUIDv7(), randomUUIDv7()];
    const [visitor, member] = [dial(undefined), await listen(randomUUIDv7())];
    const stranger = await listen(randomUUIDv7());
    await visitor.outcome;
    const watch = (socket: Socket, watched: unknown) =>
      socket.timeout(30_000).emitWithAck('tool:watch', watched);
    await watch(visitor.socket, toolId);
    await watch(member.socket, other);
    await watch(member.socket, toolId);
    stranger.socket.emit('tool:watch', { $ne: null }, 'no function');
    stranger.socket.emit('tool:watch', `x:${toolId}`);

    const line = (of: string) => ({ bookingId: randomUUIDv7(), toolId: of, quantity: 1 });
    const held = { holdId: randomUUIDv7(), userId: randomUUIDv7() };
    const expiresAt = new Date().toISOString();
    const more = { amountCents: 100, expiresAt };
    await service.broker.sendNew('BookingHeld', { ...held, ...more, lines: [line(other)] });
    await service.broker.sendNew('BookingHeld', {
      ...held,
      ...more,
      lines: [line(toolId), line(toolId)],
    });
    await service.broker.sendNew('BookingExpired', { ...held, lines: [line(toolId)] });
    await service.broker.sendNew('BookingCreated', bookingCreated({ toolId }));
    await service.broker.sendNew('AvailabilityChanged', { toolId });

    const pushed = Array(4).fill(['availability:changed', { toolId }]);
    await waitFor('all pushes', () => visitor.heard.length === 4 && member.heard.length === 4);
    expect([visitor.heard, member.heard, stranger.heard]).toEqual([pushed, pushed, []]);
  });

  it('limits how many tools a socket may watch in a minute', async () => {
    const { socket, userId, heard } = await listen(randomUUIDv7());
    const { socket: second } = await listen(userId);
    const other = await listen(randomUUIDv7());
    let answered = 0;

    for (let i = 0; i < 400; i++) socket.emit('tool:watch', randomUUIDv7(), () => answered++);
    await waitFor('the answers', () => answered >= 300);
    second.emit('tool:watch', randomUUIDv7(), () => answered++);
    await other.socket.timeout(30_000).emitWithAck('tool:watch', randomUUIDv7());
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId: userId });
    await waitFor('a push', () => heard[0]);

    expect(answered).toBe(300);
  });

  it('sends messages and refunds of other users to an admin’s socket', async () => {
    const admin = await listen(randomUUIDv7(), { role: 'Admin' });
    const booking = bookingCreated();
    const { bookingId, toolId, toolName, ownerId, renterId, bookingCode } = booking;
    const change = { kind: 'dispute', cents: 100, state: 'open', reason: 'fraudulent' } as const;
    const bookings = [{ bookingId, bookingCode, toolId, toolName, ownerId }];

    await service.broker.sendNew('MessageSent', messageSent({ bookingId }));
    const changed = { paymentId: randomUUIDv7(), renterId, change, bookings };
    await service.broker.sendNew('BookingPaymentChanged', changed);

    const heard = () => admin.heard.filter(([, pushed]) => pushed.bookingId === bookingId);
    await waitFor('both pushes', () => heard().length === 2);
    expect(heard().map(([name]) => name)).toEqual(['message:sent', 'booking:changed']);
  });

  it('sends a stored notice to a socket on any replica', async () => {
    const replica = await service.startReplica();
    try {
      await expectPushes(replica.url);
      const { owner } = await bookTool(service);
      const { heard } = await listen(owner.id, {}, { url: replica.url });

      const booking = bookingCreated({ ownerId: owner.id, renterId: randomUUIDv7() });
      await service.broker.sendNew('BookingCreated', booking);

      const isNotice = ([name]: [string, unknown]) => name === 'notice:created';
      const [, pushed] = await waitFor('the notice', () => heard.find(isNotice));
      const [stored] = await service.expectNotices(owner, 2);
      expect(pushed).toEqual(stored);
    } finally {
      await replica.stop();
    }
  });

  it('sends a message once to the recipient’s socket on any of three replicas, and to no other', async () => {
    const replicas = await Promise.all([service.startReplica(), service.startReplica()]);
    try {
      const urls = [service.running, ...replicas].map(({ url }) => url);
      for (const url of urls) await expectPushes(url);
      // Each of twenty people has two sockets, so that some pairs share a replica and others do not.
      const people = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const userId = randomUUIDv7();
          const at = (n: number) => ({ url: urls[n % urls.length] });
          const sockets = await Promise.all([
            listen(userId, {}, at(i)),
            listen(userId, {}, at(i + Math.floor(i / urls.length))),
          ]);
          return { userId, sockets, expected: [] as string[] };
        }),
      );

      for (const [i, from] of people.entries()) {
        const to = people[(i * 7 + 3) % people.length] as typeof from;
        const message = messageSent({ fromUserId: from.userId, toUserId: to.userId });
        for (const party of new Set([from, to])) party.expected.push(message.messageId);
        await service.broker.sendNew('MessageSent', message);
      }
      const heardBy = ({ heard }: (typeof people)[number]['sockets'][number]) =>
        heard.filter(([name]) => name === 'message:sent').map(([, { id }]) => String(id));
      const heard = () =>
        people.flatMap(({ sockets }) => sockets.map((each) => heardBy(each).sort()));
      const expected = people.flatMap(({ expected, sockets }) =>
        sockets.map(() => expected.sort()),
      );
      await waitFor('all messages', () => heard().flat().length >= expected.flat().length);
      // The last push of each replica. Any duplicate or misdirected push has arrived by then.
      for (const url of urls) await expectPushes(url);

      expect(heard()).toEqual(expected);
    } finally {
      for (const replica of replicas) await replica.stop();
    }
  });

  it('makes a socket reconnect after the broker was unreachable, to fetch what it missed', async () => {
    const { ended } = await listen(randomUUIDv7());

    await service.broker.cutConnections();

    await waitFor('the end', () => ended[0] === 'transport close');
    await expectPushes();
  });

  it('closes a socket when its session ends, and no others', async () => {
    const [userId, sessionId] = [randomUUIDv7(), randomUUID()];
    const phone = await listen(userId, { sessionId });
    const laptop = await listen(userId);

    await service.broker.sendNew('SessionEnded', { userId, sessionId });

    await waitFor('the drop', () => phone.ended[0] === 'io server disconnect');
    expect(laptop.socket.connected).toBe(true);
  });

  it.each([
    ['AccountDisabled', { disabled: true }],
    ['RoleChanged', { role: 'User' }],
  ] as const)('closes a user’s sockets at %s', async (type, data) => {
    const userId = randomUUIDv7();
    const { ended } = await listen(userId);

    await service.broker.sendNew(type, { userId, ...data } as never);

    await waitFor('the drop', () => ended[0] === 'io server disconnect');
  });

  it('closes a socket when its token expires', async () => {
    const { ended } = await listen(randomUUIDv7(), { expiresInSeconds: 3 });

    await waitFor('the drop', () => ended[0] === 'io server disconnect');
  });

  it('lets a socket reconnect with a fresh token after the old one expired, and sends it pushes again', async () => {
    const { socket, heard, ended, userId } = await listen(randomUUIDv7(), { expiresInSeconds: 3 });
    await waitFor('the drop', () => ended[0] === 'io server disconnect');

    socket.auth = { token: await service.accounts.sign({ userId }) };
    socket.connect();
    await waitFor('the return', () => socket.connected);
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId: userId });

    await waitFor('the push', () => heard.some(([name]) => name === 'tool:changed'));
    expect(ended).toHaveLength(1);
  });

  it('closes a socket that sends a frame of 1 MB, and keeps running', async () => {
    const { socket, ended } = await listen(randomUUIDv7());

    socket.emit('anything', 'x'.repeat(1_000_000));

    await waitFor('the drop', () => ended.length === 1);
    await listen(randomUUIDv7());
  });

  it('keeps a socket open after unknown and malformed messages from its client', async () => {
    const { socket, heard, ended, userId } = await listen(randomUUIDv7());

    socket.emit('anything');
    socket.emit('anything', { $ne: null }, 'no function');
    socket.emit('join', 'user:somebody');

    const toolId = randomUUIDv7();
    await service.broker.sendNew('ToolRemoved', { toolId, ownerId: userId });
    await waitFor('a push', () => heard.length > 0);
    expect(ended).toEqual([]);
  });
});
