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
  const received: [string, { id?: string; bookingId?: string }][] = [];
  socket.onAny((name, payload) => received.push([name, payload]));
  const ended: string[] = [];
  socket.on('disconnect', (reason) => ended.push(reason));
  const outcome = new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', (error) => resolve(error.message));
  });
  return { socket, received, ended, outcome };
};

const listen = async (userId: string, claims = {}, options = {}) => {
  const dialled = dial(await service.accounts.sign({ userId, ...claims }), options);
  expect(await dialled.outcome).toBe('connected');
  return { ...dialled, userId };
};

/** Connects with a token that expires soon. On a busy machine, a token valid for only a few seconds may expire before it is checked. */
const listenBriefly = async (seconds = 3): ReturnType<typeof listen> => {
  const userId = randomUUIDv7();
  const dialled = dial(await service.accounts.sign({ userId, expiresInSeconds: seconds }));
  if ((await dialled.outcome) === 'connected') return { ...dialled, userId };
  expect(seconds).toBeLessThan(60);
  return listenBriefly(seconds * 2);
};

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Waits until pushes arrive: the queue of live pushes exists only once the service has connected to the broker. */
const expectPushes = (url = service.running.url) =>
  waitFor('a push', async () => {
    const { userId: ownerId, received } = await listen(randomUUIDv7(), {}, { url });
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId });
    return waitFor('a push', () => received[0], 2_000);
  });

const socketCounts = async () => {
  const { body } = await service.http.get('/metrics');
  const count = (of: string) => metricIn(body, 'live_sockets', { of });
  return { members: count('members'), visitors: count('visitors') };
};

describe('the server of live sockets', () => {
  it('rejects sockets with missing, expired and revoked tokens', async () => {
    const expired = await service.accounts.sign({ expiresInSeconds: -1 });
    const session = { sessionId: randomUUID(), userId: randomUUIDv7() };
    const ended = await service.accounts.sign(session);
    await waitFor('the end', async () => {
      await service.broker.sendNew('SessionEnded', { ...session, accessUntil: inAnHour() });
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
    const { received } = await listen(randomUUIDv7());
    const [ownerId, categoryId] = [randomUUIDv7(), randomUUIDv7()];
    const saved = { id: categoryId, name: 'Ladders', image: 'null' };
    const data = { categoryId, name: 'Ladders', image: 'null' };

    visitor.socket.emit('join', `user:${ownerId}`);
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId });
    await service.broker.sendNew('CategoryAdded', data);
    await service.broker.sendNew('CategoryUpdated', data);
    await service.broker.sendNew('CategoryRemoved', { categoryId });

    await waitFor('all pushes', () => visitor.received.length >= 3 && received.length >= 3);
    const pushes = [
      ['category:saved', saved],
      ['category:saved', saved],
      ['category:removed', { id: categoryId }],
    ];
    expect([visitor.received, received]).toEqual([pushes, pushes]);
  });

  it('counts the sockets of logged-in users and of visitors separately', async () => {
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

describe('the server of live sockets', () => {
  it('sends a user’s pushes only to the user’s sockets', async () => {
    const owner = await listen(randomUUIDv7());
    const renter = await listen(randomUUIDv7());
    const stranger = await listen(randomUUIDv7());
    const booking = bookingCreated({
      ownerId: owner.userId,
      renterId: renter.userId,
    });
    const message = messageSent({
      bookingId: booking.bookingId,
      fromUserId: booking.renterId,
      toUserId: booking.ownerId,
    });

    stranger.socket.emit('join', `user:${booking.ownerId}`);
    await service.broker.sendNew('BookingCreated', booking);
    await service.broker.sendNew('MessageSent', message);

    const names = () =>
      [owner, renter].map(({ received }) => received.map(([name]) => name).sort());
    await waitFor('all pushes', () => names()[0]?.length === 4 && names()[1]?.length === 3);
    expect(names()).toEqual([
      ['booking:changed', 'message:sent', 'notice:created', 'notice:created'],
      ['booking:changed', 'message:sent', 'notice:created'],
    ]);
    expect(owner.received.find(([name]) => name === 'message:sent')?.[1]).toEqual({
      id: message.messageId,
      bookingId: message.bookingId,
      message: message.text,
      user: { id: message.fromUserId, first_name: 'Rita', last_name: 'Renter' },
      createdAt: message.sentAt,
      place: 0,
    });
    expect(stranger.received).toEqual([]);
  });

  it('pushes account changes and new tools only to the sockets of their user', async () => {
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
      ownerDisabled: false,
      terms: null,
    } as const;

    await service.broker.sendNew('AccountUpdated', account);
    await service.broker.sendNew('ToolListed', tool);

    await waitFor('both pushes', () => owner.received.length === 2);
    const { email, image, role, lastName: last_name } = account;
    expect(owner.received).toEqual([
      ['account:changed', { id: owner.userId, role, first_name: 'Olga', last_name, email, image }],
      ['tool:changed', { toolId: tool.toolId }],
    ]);
    expect(stranger.received).toEqual([]);
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

    const { startsAt, endsAt, units } = bookingCreated();
    const line = (of: string) => {
      const times = { startsAt, endsAt, units };
      return { bookingId: randomUUIDv7(), toolId: of, quantity: 1, ...times };
    };
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
    await waitFor(
      'all pushes',
      () => visitor.received.length === 4 && member.received.length === 4,
    );
    expect([visitor.received, member.received, stranger.received]).toEqual([pushed, pushed, []]);
  });

  it('limits how many tools a socket may watch in a minute', async () => {
    const { socket, userId, received } = await listen(randomUUIDv7());
    const { socket: second } = await listen(userId);
    const other = await listen(randomUUIDv7());
    let answered = 0;

    for (let i = 0; i < 400; i++) socket.emit('tool:watch', randomUUIDv7(), () => answered++);
    await waitFor('the answers', () => answered >= 300);
    second.emit('tool:watch', randomUUIDv7(), () => answered++);
    await other.socket.timeout(30_000).emitWithAck('tool:watch', randomUUIDv7());
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId: userId });
    await waitFor('a push', () => received[0]);

    expect(answered).toBe(300);
  });

  it('pushes to an admin’s socket that others wrote, without the text, and their refunds', async () => {
    const admin = await listen(randomUUIDv7(), { role: 'Admin' });
    const booking = bookingCreated();
    const { bookingId, toolId, toolName, ownerId, renterId, bookingCode } = booking;
    const dispute = { kind: 'dispute', cents: 100, state: 'open', reason: 'fraudulent' } as const;
    const change = { ...dispute, answerBy: null };
    const bookings = [{ bookingId, bookingCode, toolId, toolName, ownerId, isCancelled: false }];

    await service.broker.sendNew('MessageSent', messageSent({ bookingId }));
    const changed = { paymentId: randomUUIDv7(), renterId, change, bookings };
    await service.broker.sendNew('BookingPaymentChanged', changed);

    const received = () => admin.received.filter(([, pushed]) => pushed.bookingId === bookingId);
    await waitFor('both pushes', () => received().length === 2);
    expect(received().map(([name]) => name)).toEqual(['thread:changed', 'booking:changed']);
    expect(JSON.stringify(admin.received)).not.toContain(messageSent().text);
  });

  it('pushes threads only to admins who may read them, and disputes only to those of money', async () => {
    const support = await listen(randomUUIDv7(), { role: 'Support' });
    const finance = await listen(randomUUIDv7(), { role: 'Finance' });
    const booking = bookingCreated();
    const { bookingId, toolId, toolName, ownerId, renterId, bookingCode } = booking;
    const dispute = { kind: 'dispute', cents: 100, state: 'open', reason: 'fraudulent' } as const;
    const bookings = [{ bookingId, bookingCode, toolId, toolName, ownerId, isCancelled: false }];
    const change = { ...dispute, answerBy: null };
    const disputed = { paymentId: randomUUIDv7(), renterId, change, bookings };

    await service.broker.sendNew('MessageSent', messageSent({ bookingId }));
    await service.broker.sendNew('BookingPaymentChanged', disputed);
    await service.broker.sendNew('BookingCreated', booking);

    const about = ({ received }: typeof support) =>
      received.filter(([, pushed]) => pushed.bookingId === bookingId).map(([name]) => name);
    await waitFor('the pushes', () => about(support).length + about(finance).length >= 4);
    expect(about(support)).toEqual(['thread:changed', 'booking:changed']);
    expect(about(finance)).toEqual(['booking:changed', 'booking:changed']);
  });

  it('sends a stored notice to a socket on any replica', async () => {
    const replica = await service.startReplica();
    try {
      await expectPushes(replica.url);
      const { owner } = await bookTool(service);
      const { received } = await listen(owner.id, {}, { url: replica.url });

      const booking = bookingCreated({ ownerId: owner.id, renterId: randomUUIDv7() });
      await service.broker.sendNew('BookingCreated', booking);

      const isNotice = ([name]: [string, unknown]) => name === 'notice:created';
      const [, pushed] = await waitFor('the notice', () => received.find(isNotice));
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
      const receivedBy = ({ received }: (typeof people)[number]['sockets'][number]) =>
        received.filter(([name]) => name === 'message:sent').map(([, { id }]) => String(id));
      const received = () =>
        people.flatMap(({ sockets }) => sockets.map((each) => receivedBy(each).sort()));
      const expected = people.flatMap(({ expected, sockets }) =>
        sockets.map(() => expected.sort()),
      );
      await waitFor('all messages', () => received().flat().length >= expected.flat().length);
      // Wait for one more push from each replica: any duplicate or misdirected push has arrived before it.
      for (const url of urls) await expectPushes(url);

      expect(received()).toEqual(expected);
    } finally {
      for (const replica of replicas) await replica.stop();
    }
  });

  it('closes sockets after the broker was unreachable, so that clients reconnect and fetch what they missed', async () => {
    const { ended } = await listen(randomUUIDv7());

    await service.broker.cutConnections();

    await waitFor('the end', () => ended[0] === 'transport close');
    await expectPushes();
  });

  it('closes the sockets of a session that ends, and no others', async () => {
    const [userId, sessionId] = [randomUUIDv7(), randomUUID()];
    const phone = await listen(userId, { sessionId });
    const laptop = await listen(userId);

    await service.broker.sendNew('SessionEnded', { userId, sessionId, accessUntil: inAnHour() });

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
    const { ended } = await listenBriefly();

    await waitFor('the drop', () => ended[0] === 'io server disconnect');
  });

  it('lets a socket reconnect with a fresh token after the old one expired, and sends it pushes again', async () => {
    const { socket, received, ended, userId } = await listenBriefly();
    await waitFor('the drop', () => ended[0] === 'io server disconnect');

    socket.auth = { token: await service.accounts.sign({ userId }) };
    socket.connect();
    await waitFor('the return', () => socket.connected);
    await service.broker.sendNew('ToolRemoved', { toolId: randomUUIDv7(), ownerId: userId });

    await waitFor('the push', () => received.some(([name]) => name === 'tool:changed'));
    expect(ended).toHaveLength(1);
  });

  it('closes a socket that sends a frame of 1 MB, and keeps running', async () => {
    const { socket, ended } = await listen(randomUUIDv7());

    socket.emit('anything', 'x'.repeat(1_000_000));

    await waitFor('the drop', () => ended.length === 1);
    await listen(randomUUIDv7());
  });

  it('keeps a socket open after unknown and malformed messages from its client', async () => {
    const { socket, received, ended, userId } = await listen(randomUUIDv7());

    socket.emit('anything');
    socket.emit('anything', { $ne: null }, 'no function');
    socket.emit('join', 'user:somebody');

    const toolId = randomUUIDv7();
    await service.broker.sendNew('ToolRemoved', { toolId, ownerId: userId });
    await waitFor('a push', () => received.length > 0);
    expect(ended).toEqual([]);
  });
});
