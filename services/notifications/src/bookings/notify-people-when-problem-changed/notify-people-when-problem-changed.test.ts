import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-people-when-problem-changed';

let service: NotificationsService;
let admin: TestPerson;
beforeAll(async () => {
  service = await startNotificationsService();
  admin = await service.addPerson('Ada', { role: 'Admin' });
});
afterAll(() => service.stop());

type Reported = EventData<'BookingProblemReported'>;

const about = (owner: { id: string }, renter: { id: string }): Omit<Reported, 'text'> => ({
  bookingId: randomUUIDv7(),
  toolId: randomUUIDv7(),
  toolName: 'Cordless drill',
  ownerId: owner.id,
  renterId: renter.id,
  bookingCode: 'LT123456',
  problemId: randomUUIDv7(),
  kind: 'reported',
  by: 'renter',
});

const reported = (
  owner: { id: string },
  renter: { id: string },
  overrides: Partial<Reported> = {},
): Reported => ({ ...about(owner, renter), text: 'The chuck is broken.', ...overrides });

const noticeForAdmin = (bookingId: string) =>
  waitFor('the notice', async () =>
    (await service.noticesOf(admin)).find((notice) => notice.bookingId === bookingId),
  );

describe(queue, () => {
  it("sends a problem report to the admins, and only a notice without the report's text to the other party", async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const data = reported(owner, renter);

    await service.broker.sendNew('BookingProblemReported', data);

    const [notice] = await service.expectNotices(owner, 1);
    const email = await service.expectEmail(owner.email, /^A problem with a rental/);
    expect(await noticeForAdmin(data.bookingId)).toMatchObject({
      kind: 'problem-to-settle',
      message: 'Rita reports a problem with Cordless drill (LT123456): “The chuck is broken.”',
    });
    expect(notice).toMatchObject({
      kind: 'booking-problem',
      message:
        'Rita has reported a problem with the rental of Cordless drill. Our team is looking at it, ' +
        'and the booking is completed once it is settled.',
    });
    expect(email.text).not.toContain('chuck');
    expect(email.text).toContain(`/user/my-bookings-details?id=${data.bookingId}`);
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it('emails the whole report of a problem to the admins', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const text = `${'It smokes. '.repeat(60)}And then it stopped.`;

    await service.broker.sendNew(
      'BookingProblemReported',
      reported(owner, renter, { text, bookingCode: 'LT765432' }),
    );

    const email = await service.expectEmail(admin.email, /LT765432/);
    expect(email.text.replace(/\s+/g, ' ')).toContain('And then it stopped.');
    expect(email.text).toContain('/admin/problems');
  });

  it('notifies only the admins of a problem that the system reports', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const data = reported(owner, renter, { kind: 'owner-disabled', by: 'system', text: '' });

    await service.broker.sendNew('BookingProblemReported', data);

    expect((await noticeForAdmin(data.bookingId)).message).toBe(
      'The owner of Cordless drill (LT123456) is disabled while it is rented out. ' +
        'Please settle with the renter how it comes back.',
    );
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it("sends the note of a problem's settlement to both parties", async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const settled = { adminId: admin.id, note: 'Olga pays for a new chuck.' };

    await service.broker.sendNew('BookingProblemSettled', { ...about(owner, renter), ...settled });

    for (const party of [owner, renter]) {
      const [notice] = await service.expectNotices(party, 1);
      const email = await service.expectEmail(party.email, /^Settled/);
      expect(notice).toMatchObject({
        kind: 'booking-problem',
        message:
          'The problem with the rental of Cordless drill is settled. ' +
          'LendTools writes: “Olga pays for a new chuck.”',
      });
      expect(email.text).toContain('Olga pays for a new chuck.');
    }
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingProblemReported', reported(owner, renter)),
        countEffects: async () => (await service.noticesOf(owner)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
