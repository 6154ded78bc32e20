import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const counts = async () => {
  const { body } = await service.http.get('/metrics');
  return {
    made: metricIn(body, 'holds_total', { status: 'live' }),
    ended: metricIn(body, 'holds_total', { status: 'ended' }),
    live: metricIn(body, 'live_holds'),
  };
};

describe('expire-hold', () => {
  it('counts a hold in the metrics when it is created and when it ends', async () => {
    const before = await counts();
    const { id } = await service.held(await service.person());
    // Poll, because the gauge reads the database at most once in five seconds.
    const held = await waitFor('the hold to be counted', async () => {
      const now = await counts();
      return now.live > 0 && now;
    });
    await service.setExpiry(id, 1);
    await waitFor('its end', async () => (await service.holdStatus(id)) === 'ended');

    await waitFor('its count', async () => (await counts()).ended === before.ended + 1);

    expect(held).toEqual({ made: before.made + 1, ended: before.ended, live: 1 });
    await waitFor('none to be left', async () => (await counts()).live === 0);
  });

  it('ends each expired hold once although two replicas run', async () => {
    const replica = await service.start();
    const holds = await Promise.all(
      [1, 2, 3, 4].map(async () => service.held(await service.person())),
    );

    await Promise.all(holds.map((hold) => service.setExpiry(hold.id, 1)));
    for (const { id } of holds)
      await service.broker.expectEvent('BookingExpired', (data) => data.holdId === id);
    await replica.stop();

    const events = service.broker.received.filter(
      (event) =>
        event.type === 'BookingExpired' && holds.some(({ id }) => id === event.data.holdId),
    );
    expect(events).toHaveLength(4);
  });

  it('keeps an expired hold live for at most 15 more minutes while a payment is in progress', async () => {
    const [waiting, tooLate] = [await service.person(), await service.person()];
    const [first, second] = [await service.held(waiting), await service.held(tooLate)];
    await service.checkOut(waiting, first.id);
    await service.checkOut(tooLate, second.id);

    await service.setExpiry(first.id, 14);
    await service.setExpiry(second.id, 15);
    await waitFor(
      'the second to end',
      async () => (await service.holdStatus(second.id)) === 'ended',
    );

    expect(await service.holdStatus(first.id)).toBe('live');
  });
});
