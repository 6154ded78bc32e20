import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.sync-disabled-people';
let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

const disabling = ({ userId }: Person, { disabled = true, version = 2 } = {}) =>
  newEvent('AccountDisabled', { id: userId, version }, { userId, disabled });
const ended = (id: string) =>
  bookings.broker.expectEvent('ApprovalEnded', (one) => one.bookingId === id);
const isKnown = ({ userId }: Person, disabled: boolean) =>
  waitFor('the account', async () => {
    const { rows } = await bookings.pool.query(
      'SELECT disabled FROM disabled_people WHERE id = $1',
      [userId],
    );
    return rows[0]?.disabled === disabled;
  });

describe(queue, () => {
  it('ends a disabled renter’s unaccepted request once, and releases its card', async () => {
    const renter = await bookings.person();
    const [open, accepted] = [await bookings.requested(renter), await bookings.requested(renter)];
    await bookings.answer(accepted.owner, accepted.approvalId, 'accept');
    const event = disabling(renter);

    for (const _ of [1, 2]) await bookings.broker.send(event);

    expect((await ended(open.id)).data.outcome).toBe('lapsed');
    expect((await bookings.reportAuthorization(open.hold, open.authorization)).body).toEqual({
      approval: 'ended',
    });
    expect(
      (await bookings.reportAuthorization(accepted.hold, accepted.authorization)).body,
    ).toEqual({
      approval: 'accepted',
    });
  });

  it('rejects a disabled renter’s authorizations until the account is enabled again', async () => {
    const renter = await bookings.person();
    const authorization = { paymentId: randomUUID(), userId: renter.userId };
    const ask = async () => {
      const { toolId } = await bookings.toolOnRequest();
      return (await bookings.postHold(renter, [bookings.line(toolId)])).body.hold;
    };
    const [first, second] = [await ask(), await ask()];

    await bookings.broker.send(disabling(renter));
    await isKnown(renter, true);
    const rejected = await bookings.reportAuthorization(first, authorization);
    await bookings.broker.send(disabling(renter, { disabled: false, version: 3 }));
    await isKnown(renter, false);
    await bookings.broker.send(disabling(renter));
    const taken = await bookings.reportAuthorization(second, {
      ...authorization,
      paymentId: randomUUID(),
    });

    expect(rejected.body).toEqual({ approval: 'ended' });
    expect(await bookings.holdStatus(first.id)).toBe('ended');
    expect(taken.body).toEqual({ approval: 'pending' });
  });

  it('dead-letters an unreadable message', async () => {
    await bookings.broker.sendRaw(queue, JSON.stringify({ type: 'AccountDisabled', data: 1 }));

    await waitFor('the dead letter', async () => (await bookings.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    const renter = await bookings.person();
    const { id } = await bookings.requested(renter);
    await failFirstWrites(bookings.pool, 'disabled_people', 2);

    await bookings.broker.send(disabling(renter));

    await ended(id);
  });
});
