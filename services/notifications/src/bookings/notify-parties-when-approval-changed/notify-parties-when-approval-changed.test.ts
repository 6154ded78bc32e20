import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-parties-when-approval-changed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const requested = (owner: TestPerson, renter: TestPerson): EventData<'ApprovalRequested'> => ({
  ...bookingCreated({ ownerId: owner.id, renterId: renter.id }),
  approvalId: randomUUID(),
  answerBy: '2026-05-31T20:30:00.000Z',
  change: null,
});

const ended = (
  owner: TestPerson,
  renter: TestPerson,
  how: Pick<EventData<'ApprovalEnded'>, 'outcome' | 'note'> & { dueCents?: number },
): EventData<'ApprovalEnded'> => {
  const { bookingId, toolId, toolName, bookingCode } = bookingCreated();
  const parties = { ownerId: owner.id, renterId: renter.id };
  const { dueCents, ...outcome } = how;
  const change = dueCents === undefined ? null : { changeId: randomUUID(), dueCents };
  return {
    bookingId,
    toolId,
    toolName,
    bookingCode,
    approvalId: randomUUID(),
    ...parties,
    ...outcome,
    change,
  };
};

const changeRequested = (
  owner: TestPerson,
  renter: TestPerson,
  price: Partial<NonNullable<EventData<'ApprovalRequested'>['change']>> = {},
): EventData<'ApprovalRequested'> => {
  const request = requested(owner, renter);
  const { startDate, startTime, endTime, quantity, totalCents } = request;
  const before = { startDate, startTime, endTime, quantity, endDate: request.endDate, totalCents };
  return {
    ...request,
    endDate: '2026-06-05',
    totalCents: 7_200,
    change: {
      changeId: randomUUID(),
      before,
      dueCents: 2_400,
      refundCents: 0,
      keptCents: 0,
      ...price,
    },
  };
};

const wordsOf = async (...people: TestPerson[]) => {
  const notices = [];
  for (const one of people) notices.push(...(await service.expectNotices(one, 1)));
  return notices.map(({ message }) => message);
};

describe(queue, () => {
  it('notifies the owner of a request, with a deadline in the tool’s time zone, and notifies the renter', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    const request = requested(owner, renter);
    await service.broker.sendNew('ApprovalRequested', request);

    const ownerEmail = await service.expectEmail(
      owner.email,
      /Rita asks to rent your Cordless drill/,
    );
    const renterEmail = await service.expectEmail(renter.email, /Your request for Cordless drill/);
    expect(await wordsOf(owner, renter)).toEqual([
      'Rita asks to rent your Cordless drill from Mon, Jun 1. Please accept or decline by Sun, May 31, 3:30 PM CDT.',
      'You asked to rent Olga’s Cordless drill from Mon, Jun 1. You’ll hear by Sun, May 31, 3:30 PM CDT.',
    ]);
    expect(ownerEmail.text).toContain(`/user/my-bookings-details?id=${request.bookingId}`);
    expect(renterEmail.text).toContain('authorized for $48.00, not charged');
    expect([ownerEmail.calendar, renterEmail.calendar]).toEqual(['', '']);
  });

  it('shows the owner, and not the renter, the commission on a request or a change', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const [earnings, then] = [
      { grossCents: 4_800, feeCents: 480 },
      { grossCents: 7_200, feeCents: 720 },
    ];

    await service.broker.sendNew('ApprovalRequested', { ...requested(owner, renter), earnings });
    await service.broker.sendNew('ApprovalRequested', {
      ...changeRequested(owner, renter),
      earnings: then,
    });

    const toOwner = await service.expectEmail(owner.email, /Rita asks to rent/);
    const ofChange = await service.expectEmail(owner.email, /Rita asks to change/);
    expect(toOwner.text).toMatch(/Price: +\$48\.00 \(/);
    expect(toOwner.text).toMatch(/You earn: +\$48\.00 − \$4\.80 = \$43\.20/);
    expect(ofChange.text).toMatch(/You earn if accepted: +\$72\.00 − \$7\.20 = \$64\.80/);
    const toRenter = [
      await service.expectEmail(renter.email, /Your request for/),
      await service.expectEmail(renter.email, /Your change of/),
    ];
    for (const { text, html } of toRenter) expect(text + html).not.toMatch(/earn|43\.20|64\.80/);
  });

  it('does not treat the owner and renter of a request as parties of a booking', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    await service.broker.sendNew('ApprovalRequested', requested(owner, renter));
    await service.expectNotices(renter, 1);

    const { status } = await service.http.post('/api/send-messaging-notification', {
      token: renter.token,
      body: { userId: owner.id },
    });

    expect(status).toBe(404);
  });

  it.each([
    [
      'declined',
      'The request for Cordless drill is declined. Its dates are free again.',
      'Your request for Cordless drill was declined. “Not that day.” Your card was not charged.',
    ],
    [
      'withdrawn',
      'The renter withdrew the request for Cordless drill. Its dates are free again.',
      'You withdrew your request for Cordless drill. Your card was not charged.',
    ],
    [
      'lapsed',
      'The request for Cordless drill has ended without an answer. Its dates are free again.',
      'Your request for Cordless drill has ended without an answer. Your card was not charged.',
    ],
    [
      'failed',
      'The renter’s card could not be charged for Cordless drill, so there is no booking. Its dates are free again.',
      'Your card could not be charged for Cordless drill, so there is no booking.',
    ],
  ] as const)(
    'notifies both parties of a request that is %s',
    async (outcome, forOwner, forRenter) => {
      const owner = await service.addPerson('Olga');
      const renter = await service.addPerson('Rita');
      const note = outcome === 'declined' ? 'Not that day.' : '';

      await service.broker.sendNew('ApprovalEnded', ended(owner, renter, { outcome, note }));

      expect(await wordsOf(owner, renter)).toEqual([forOwner, forRenter]);
      const email = await service.expectEmail(renter.email, /Cordless drill/);
      expect(email.text).toContain(forRenter);
      await service.expectEmail(owner.email, /Cordless drill/);
    },
  );

  it('notifies both parties of a requested change, with the old and the requested dates', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    const request = changeRequested(owner, renter);
    await service.broker.sendNew('ApprovalRequested', request);

    const ownerEmail = await service.expectEmail(
      owner.email,
      /Rita asks to change the booking of your/,
    );
    const renterEmail = await service.expectEmail(renter.email, /Your change of Cordless drill/);
    const [is, was] = [
      'Mon, Jun 1, 7:00 AM to Fri, Jun 5, 7:00 AM',
      'Mon, Jun 1, 7:00 AM to Wed, Jun 3, 7:00 AM',
    ];
    expect(await wordsOf(owner, renter)).toEqual([
      `Rita asks to change the booking of your Cordless drill: ${is}, instead of ${was}. Please accept or decline by Sun, May 31, 3:30 PM CDT.`,
      `You asked Olga to change your booking of Cordless drill: ${is}, instead of ${was}. You’ll hear by Sun, May 31, 3:30 PM CDT, and until then it stays as it is.`,
    ]);
    expect(ownerEmail.text).toContain(`/user/my-bookings-details?id=${request.bookingId}`);
    expect(ownerEmail.text).toContain(
      'Rita’s card is authorized for $24.00 and is charged once you',
    );
    expect(renterEmail.text).toContain('authorized for $24.00, not charged');
    for (const { text } of [ownerEmail, renterEmail]) {
      expect(text).toMatch(/Pick-up if accepted: +Monday, June 1/);
      expect(text).toMatch(/Return if accepted: +Friday, June 5/);
    }
    expect([ownerEmail.calendar, renterEmail.calendar]).toEqual(['', '']);
  });

  it.each([
    [
      { dueCents: 0, refundCents: 1_200, keptCents: 1_200 },
      'If Olga accepts, $12.00 goes back to your card.',
      'By the cancellation policy, $12.00 would stay with Olga.',
    ],
    [{ dueCents: 0 }, 'Your card is not charged.', ''],
  ])('states what a change refunds, or that it costs nothing: %j', async (price, back, kept) => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('ApprovalRequested', changeRequested(owner, renter, price));

    const { text } = await service.expectEmail(renter.email, /Your change of/);
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain(back);
    expect(words).toContain(kept);
    expect(words.includes('would stay')).toBe(kept !== '');
  });

  it.each([
    [
      'declined',
      'The change of the booking of Cordless drill is declined. The booking stays as it was.',
      'Your change of the booking of Cordless drill was declined. “Not that day.” Your booking stays as it was, and nothing was charged.',
    ],
    [
      'withdrawn',
      'The renter withdrew the change of the booking of Cordless drill. The booking stays as it was.',
      'You withdrew the change of your booking of Cordless drill. Your booking stays as it was, and nothing was charged.',
    ],
    [
      'lapsed',
      'The change of the booking of Cordless drill has ended without an answer. The booking stays as it was.',
      'Your change of the booking of Cordless drill has ended without an answer. Your booking stays as it was, and nothing was charged.',
    ],
    [
      'failed',
      'The renter’s card could not be charged for the change of the booking of Cordless drill. The booking stays as it was.',
      'Your card could not be charged for the change of your booking of Cordless drill. Your booking stays as it was, and nothing was charged.',
    ],
  ] as const)(
    'notifies both parties of a change that is %s',
    async (outcome, forOwner, forRenter) => {
      const owner = await service.addPerson('Olga');
      const renter = await service.addPerson('Rita');
      const note = outcome === 'declined' ? 'Not that day.' : '';

      const over = ended(owner, renter, { outcome, note, dueCents: 2_400 });
      await service.broker.sendNew('ApprovalEnded', over);

      expect(await wordsOf(owner, renter)).toEqual([forOwner, forRenter]);
      await service.expectEmail(renter.email, /the change of Cordless drill/);
      await service.expectEmail(owner.email, /the change of Cordless drill/);
    },
  );

  it('mentions no charge when a free change is declined, and emails the owner’s whole note', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const note = `Sorry, ${'my cousin has it then, '.repeat(8)}but any other week is fine.`;
    const declined = ended(owner, renter, { outcome: 'declined', note, dueCents: 0 });

    await service.broker.sendNew('ApprovalEnded', declined);

    const [, forRenter] = await wordsOf(owner, renter);
    expect(forRenter).toMatch(/…” Your booking stays as it was\.$/);
    const { text } = await service.expectEmail(renter.email, /the change of Cordless drill/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`“${note}” Your booking stays as it was.`);
  });

  it('emails the whole note of an owner who declines a request', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const note = `Sorry, ${'my cousin has it then, '.repeat(8)}but any other week is fine.`;

    const declined = ended(owner, renter, { outcome: 'declined', note });
    await service.broker.sendNew('ApprovalEnded', declined);

    const { text } = await service.expectEmail(renter.email, /Cordless drill/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`“${note}” Your card was not charged.`);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('ApprovalRequested', requested(owner, renter)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /Your request for/.test(subject))
            .length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
