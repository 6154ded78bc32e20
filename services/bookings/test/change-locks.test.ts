import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from './bookings-service.ts';
import { changesAt, days, retryOn503 } from './changes.ts';
import { deadlocksOf } from './deadlocks.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => service.stop());

const { change, cancel, lend, lendOnRequest, requestChange, answer } = changesAt(() => service);

describe('a change of a booking', () => {
  it('never deadlocks while it replaces a change that is being given up and a cart that has the dates', async () => {
    for (let round = 0; round < 15; round++) {
      const { renter, id, toolId } = await lend();
      const { hold } = (await change(renter, id, days(10, 15))).body;
      await service.postHold(renter, [service.line(toolId, days(20, 22))]);

      const replies = await Promise.all([
        change(renter, id, days(19, 24)),
        sleep(round % 8).then(() =>
          retryOn503(() =>
            service.http.delete(`/api/user/${renter.userId}/holds/${hold.id}`, renter),
          ),
        ),
      ]);

      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(await deadlocksOf(service.pool)).toBe(0);
  });

  it('never deadlocks when a cancellation and a dispute end the change concurrently', async () => {
    for (let round = 0; round < 15; round++) {
      const { renter, id, payment } = await lend();
      await change(renter, id, days(10, 15));

      const [{ status }] = await Promise.all([
        sleep(round * 2).then(() => cancel(renter, id)),
        service.dispute(payment, 'open', { cents: 1_000, version: 3, withShares: false }),
      ]);

      expect(status).toBe(200);
    }
    expect(await deadlocksOf(service.pool)).toBe(0);
  });

  it('never deadlocks when a dispute arrives while the change request is answered', async () => {
    for (let round = 0; round < 15; round++) {
      const { renter, owner, id, payment } = await lendOnRequest();
      const { approvalId, follow } = await requestChange(renter, id, days(10, 16));

      const [request, ...replies] = await Promise.all([
        follow(),
        answer(owner, approvalId, 'accept'),
        sleep(round).then(() => answer(renter, approvalId, 'withdraw')),
        service.dispute(payment, 'open', { cents: 4_000, version: 3, withShares: false }),
      ]);

      expect(['pending', 'accepted', 'ended']).toContain(request);
      for (const reply of replies.slice(0, 2))
        expect([200, 409]).toContain((reply as { status: number }).status);
    }
    expect(await deadlocksOf(service.pool)).toBe(0);
  });
});
