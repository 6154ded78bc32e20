import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { payoutAccounts } from '../../../test/payout-accounts.ts';

let payments: TestPayments;
let accounts: ReturnType<typeof payoutAccounts>;
beforeAll(async () => {
  payments = await startTestPayments();
  accounts = payoutAccounts(payments);
});
afterAll(() => payments.stop());

type Owner = Awaited<ReturnType<TestPayments['signIn']>>;

const hold = async ({ userId }: Owner, isHeld: boolean, token?: string) =>
  payments.api.put(`/api/admin/users/${userId}/payout-account`, {
    token: token ?? (await payments.accounts.sign({ role: 'Admin' })),
    body: { isHeld },
  });
const disabledEvent = ({ userId }: Owner, disabled: boolean, version: number) =>
  newEvent('AccountDisabled', { id: userId, version }, { userId, disabled });
/** Reads the row, because the token of a disabled owner is revoked. */
const isHeld = async (owner: Owner) => {
  const { held_by_admin: byAdmin, owner_disabled: isDisabled } = await accounts.row(owner);
  return byAdmin || isDisabled;
};

describe('PUT /api/admin/users/:userId/payout-account', () => {
  it('holds the payouts of an owner with or without an account, and releases them', async () => {
    const owner = await payments.signIn();

    const held = await hold(owner, true);
    const shown = await accounts.view(owner);
    const released = await hold(owner, false);

    expect(held).toMatchObject({ status: 200, body: { state: 'not-started', isHeld: true } });
    expect(shown.isHeld).toBe(true);
    expect(released.body.isHeld).toBe(false);
  });

  it('rejects an admin who would change their own', async () => {
    const owner = await payments.signIn();
    const token = await payments.accounts.sign({ userId: owner.userId, role: 'Admin' });

    expect((await hold(owner, false, token)).status).toBe(403);
  });

  it('rejects everyone but admins', async () => {
    const owner = await payments.signIn();

    expect((await hold(owner, true, owner.token)).status).toBe(403);
    expect(await accounts.row(owner)).toBeUndefined();
  });
});

describe('payments.hold-payouts-when-owner-disabled', () => {
  const queue = 'payments.hold-payouts-when-owner-disabled';

  it('holds the payouts while the owner is disabled', async () => {
    const { owner } = await accounts.ready();

    await payments.broker.send(disabledEvent(owner, true, 2));
    await waitFor('the hold', () => isHeld(owner));
    await payments.broker.send(disabledEvent(owner, false, 3));
    await waitFor('the release', async () => !(await isHeld(owner)));

    expect(await accounts.row(owner)).toMatchObject({ state: 'ready' });
  });

  it('keeps an admin’s hold when the owner is enabled again', async () => {
    const owner = await payments.signIn();
    await hold(owner, true);

    await payments.broker.send(disabledEvent(owner, true, 2));
    await payments.broker.send(disabledEvent(owner, false, 3));
    await waitFor('the events', async () => (await accounts.row(owner)).owner_version === 3);

    expect(await isHeld(owner)).toBe(true);
  });

  it('keeps the newest version when events are repeated or late, and dead-letters an unreadable one', async () => {
    const owner = await payments.signIn();
    const newest = disabledEvent(owner, false, 9);

    await payments.broker.sendRaw(queue, '{"type":"Nonsense"}');
    for (const event of [newest, disabledEvent(owner, true, 8), newest])
      await payments.broker.send(event);
    const marker = await payments.signIn();
    await payments.broker.send(disabledEvent(marker, true, 2));
    await waitFor('the marker', () => accounts.row(marker));

    expect(await accounts.row(owner)).toMatchObject({ owner_disabled: false, owner_version: 9 });
    await waitFor('the dead letter', async () => (await payments.broker.countDead(queue)) === 1);
  });
});
