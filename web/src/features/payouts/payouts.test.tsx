import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type {
  AdminPayouts,
  OwnerWithDebt,
  StuckTransfer,
  StuckTransferReason,
} from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { ids, sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const admin = { ...rita, role: 'Admin' };
const [getSums, getStuck, getDebts, hold] = [
  'GET /api/admin/payouts',
  'GET /api/admin/transfers',
  'GET /api/admin/debts',
  'PUT /api/admin/users/:id/payout-account',
] as const;
const retry = 'POST /api/admin/payments/:payment/transfers/:booking/retry';
const writeOff = 'POST /api/admin/users/:id/write-off';

const sums: AdminPayouts = {
  balances: {
    stripeCents: 100_000,
    othersCents: 90_000,
    withdrawableCents: 10_000,
    accounts: {
      unallocated: 0,
      pending: 60_000,
      available: 20_000,
      sending: 0,
      due: 10_000,
      commission: 12_000,
      operator: 0,
      fees: -1_500,
      losses: -500,
      disputes: 0,
      debts: 0,
      netting: 0,
    },
  },
  months: [{ month: '2026-10', commissionCents: 12_000, feesCents: 1_500, lossesCents: 500 }],
};

function buildStuck(overrides: Partial<StuckTransfer> = {}): StuckTransfer {
  return {
    bookingId: ids.booking,
    bookingCode: 'LT482913',
    toolName: 'Hammer drill',
    ownerId: ids.sam,
    ownerName: 'Sam Okafor',
    paymentId: ids.payment,
    cents: 3_060,
    reason: 'rejected',
    error: 'No such destination: acct_1',
    since: '2026-11-06T17:00:00.000Z',
    nextTryAt: null,
    stripeUrl: 'https://dashboard.stripe.com/connect/accounts/acct_1',
    ...overrides,
  };
}

const debt: OwnerWithDebt = {
  ownerId: ids.sam,
  ownerName: 'Sam Okafor',
  debtCents: 2_700,
  comingCents: 1_000,
  since: '2026-11-06T17:00:00.000Z',
  isHeld: false,
  state: 'ready',
};

let stuck: StuckTransfer[];
let owners: OwnerWithDebt[];
let api: FakeApi;
beforeEach(async () => {
  [stuck, owners] = [[], []];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    [getSums]: () => sums,
    [getStuck]: () => ({ transfers: stuck, nextCursor: null }),
    'GET /api/admin/refunds': () => ({ refunds: [], nextCursor: null }),
    [getDebts]: () => ({ owners, nextCursor: null }),
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  return api.stop();
});

function show() {
  return renderApp('/admin/payouts', { api, user: admin });
}

async function rowsOf(name: string) {
  return within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1);
}

describe('the page "Payouts" for admins', () => {
  it('has a link in the menu, and shows what the operator may withdraw', async () => {
    await show();

    const tile = async (name: string) => await screen.findByRole('region', { name });
    expect(await tile('At Stripe')).toHaveTextContent('$1,000.00');
    expect(await tile('Belongs to others')).toHaveTextContent('$900.00');
    expect(await tile('You may withdraw')).toHaveTextContent('$100.00');
    expect(screen.getByText('Refunds that are not made yet').nextElementSibling).toHaveTextContent(
      '$100.00',
    );
    expect(screen.getAllByRole('link', { name: 'Payouts' })[0]).toHaveAttribute(
      'href',
      '/admin/payouts',
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('warns if the balance is lower than what belongs to others', async () => {
    const balances = { ...sums.balances, withdrawableCents: -2_500 };
    api.handlers[getSums] = () => ({ ...sums, balances });
    await show();

    expect(await screen.findByRole('alert', { name: '$25.00 is missing at Stripe' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'You may withdraw' })).toHaveTextContent('$0.00');
  });

  it('lists failed refunds with Stripe’s reason and their bookings, only if there are any', async () => {
    api.handlers['GET /api/admin/refunds'] = () => ({
      refunds: [
        {
          key: 'refund:1',
          paymentId: ids.payment,
          amountCents: 4_200,
          error: 'expired_or_canceled_card',
          since: '2026-11-06T17:00:00.000Z',
          nextTryAt: '2026-11-07T17:00:00.000Z',
          stripeUrl: 'https://dashboard.stripe.com/payments/pi_1',
          bookings: [
            {
              id: ids.booking,
              booking_code: 'LT482913',
              name: 'Hammer drill',
              booking_status: 'Cancelled',
              startsAt: '2026-11-06T17:00:00.000Z',
            },
          ],
        },
      ],
      nextCursor: null,
    });
    await show();

    const [row] = await rowsOf('Failed refunds');
    expect(row).toHaveTextContent('$42.00');
    expect(row).toHaveTextContent('expired or canceled card');
    expect(screen.getByRole('link', { name: 'Hammer drill, LT482913' })).toHaveAttribute(
      'href',
      `/admin/booking-details?id=${ids.booking}`,
    );
  });

  it('shows why a transfer is stuck, and tries it again', async () => {
    stuck = [buildStuck()];
    api.handlers[retry] = () => {
      stuck = [];
      return { message: 'It is sent within a minute.' };
    };
    const { user } = await show();

    const [row] = await rowsOf('Stuck transfers');
    expect(row).toHaveTextContent('$30.60');
    expect(row).toHaveTextContent('Stripe rejected it.');
    expect(row).toHaveTextContent('Stripe: “No such destination: acct_1”');
    const inRow = within(row as HTMLElement);
    expect(inRow.getByRole('link', { name: 'Sam Okafor' })).toHaveAttribute(
      'href',
      `/admin/user-details?id=${ids.sam}`,
    );
    expect(inRow.getByRole('link', { name: 'Hammer drill, LT482913' })).toHaveAttribute(
      'href',
      `/admin/booking-details?id=${ids.booking}`,
    );
    await user.click(inRow.getByRole('button', { name: 'Try again: Hammer drill, LT482913' }));

    expect(await screen.findByText('It is sent within a minute.')).toBeVisible();
    expect(await screen.findByText('No transfer is stuck')).toBeVisible();
    expect(api.calls(retry)[0]?.path).toBe(
      `/api/admin/payments/${ids.payment}/transfers/${ids.booking}/retry`,
    );
  });

  it.each<[StuckTransferReason, string, RegExp[]]>([
    ['account', 'The owner is reminded', []],
    ['hold', 'are on hold', [/^Resume payouts of Sam/]],
    ['dispute', 'is disputed', [/^Disputes: /]],
    ['unknown', 'reply was lost', [/^Try again: /]],
    ['balance', 'balance at Stripe is too low', [/^Try again: /]],
    ['returned', 'reversed in Stripe’s dashboard', [/^Try again: /]],
  ])('offers what helps a transfer with the reason: %s', async (reason, words, actions) => {
    stuck = [buildStuck({ reason, error: null })];
    await show();

    const [row] = await rowsOf('Stuck transfers');
    expect(row).toHaveTextContent(words);
    const inRow = within(row as HTMLElement);
    const names = [...inRow.queryAllByRole('button'), ...inRow.getAllByRole('link')].map(
      (element) => element.getAttribute('aria-label') ?? '',
    );
    const offered = names.filter((name) => name && !name.endsWith('in Stripe'));
    expect(offered).toEqual(actions.map((action) => expect.stringMatching(action)));
    expect(names).toContain('Open Hammer drill, LT482913 in Stripe');
  });

  it('reports a retry that fails', async () => {
    stuck = [buildStuck()];
    api.handlers[retry] = () => problem(404, 'TRANSFER_NOT_FOUND', 'Nothing is left to send.');
    const { user } = await show();

    await user.click(await screen.findByRole('button', { name: /^Try again: / }));

    expect(await screen.findByText('Nothing is left to send.')).toBeVisible();
  });

  it('writes off a debt with a reason', async () => {
    owners = [debt];
    api.handlers[writeOff] = () => {
      owners = [];
      return [201, { id: ids.hold, writtenOffCents: 2_700 }];
    };
    const { user } = await show();

    const [row] = await rowsOf('Owners with debts');
    expect(row).toHaveTextContent('$27.00');
    expect(row).toHaveTextContent('$10.00');
    await user.click(screen.getByRole('button', { name: 'Write off the debt of Sam Okafor' }));
    const dialog = await screen.findByRole('dialog', { name: 'Write off $27.00 of Sam Okafor?' });
    const submit = within(dialog).getByRole('button', { name: 'Write off $27.00' });
    await user.click(submit);
    expect(await within(dialog).findByText('Please enter a reason')).toBeVisible();
    await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Moved abroad');
    await user.click(submit);

    expect(await screen.findByText('Nobody owes anything')).toBeVisible();
    expect(api.calls(writeOff).map(({ json }) => json)).toEqual([
      { cents: 2_700, reason: 'Moved abroad' },
    ]);
    expect(api.calls(writeOff)[0]?.headers['idempotency-key']).toMatch(/-2700$/);
  });

  it('writes off nothing if the debt has changed, and shows the new one', async () => {
    owners = [debt];
    api.handlers[writeOff] = () => {
      owners = [{ ...debt, debtCents: 1_700 }];
      return problem(409, 'DEBT_CHANGED', 'The debt has changed.');
    };
    const { user } = await show();

    await user.click(await screen.findByRole('button', { name: /^Write off the debt/ }));
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Moved abroad');
    await user.click(within(dialog).getByRole('button', { name: 'Write off $27.00' }));

    expect(await within(dialog).findByText('The debt has changed.')).toBeVisible();
    expect(await within(dialog).findByRole('button', { name: 'Write off $17.00' })).toBeVisible();
  });

  it('holds the payouts of an owner after a question, and resumes them', async () => {
    owners = [debt];
    api.handlers[hold] = ({ json }) => {
      owners = [{ ...debt, isHeld: json.isHeld === true }];
      return { state: 'ready', isHeld: json.isHeld };
    };
    const { user } = await show();

    await user.click(await screen.findByRole('button', { name: 'Hold payouts of Sam Okafor' }));
    await user.click(await screen.findByRole('button', { name: 'Hold payouts' }));
    const resume = await screen.findByRole('button', { name: 'Resume payouts of Sam Okafor' });
    expect((await rowsOf('Owners with debts'))[0]).toHaveTextContent('On hold');
    await user.click(resume);

    expect(await screen.findByRole('button', { name: 'Hold payouts of Sam Okafor' })).toBeVisible();
    expect(api.calls(hold).map(({ json }) => json)).toEqual([{ isHeld: true }, { isHeld: false }]);
  });

  it('shows what each month has earned, and saves its ledger', async () => {
    const names: string[] = [];
    jest.spyOn(URL, 'createObjectURL').mockReturnValue('blob:ledger');
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    api.handlers['GET /api/admin/ledger/:month'] = () => ({});
    const { user } = await show();

    const [row] = await rowsOf('Commission by month');
    for (const words of ['October 2026', '$120.00', '$15.00', '$5.00', '$100.00'])
      expect(row).toHaveTextContent(words);
    await user.click(screen.getByRole('button', { name: 'CSV ledger of October 2026' }));

    await waitFor(() => expect(names).toEqual(['lendtools-ledger-2026-10.csv']));
  });

  it('says that nothing is stuck, owed or booked', async () => {
    api.handlers[getSums] = () => ({ ...sums, months: [] });
    await show();

    for (const words of ['No transfer is stuck', 'Nobody owes anything', 'No money has moved yet.'])
      expect(await screen.findByText(words)).toBeVisible();
  });

  it('offers to try again if a part does not load', async () => {
    const works = api.handlers[getSums] as never;
    api.handlers[getSums] = () => problem(500, 'INTERNAL_ERROR', 'Our mistake.');
    const { user } = await show();
    const again = await screen.findByRole('button', { name: 'Try again' });

    api.handlers[getSums] = works;
    await user.click(again);

    expect(await screen.findByRole('region', { name: 'At Stripe' })).toBeVisible();
  });
});

describe('the payouts of a user', () => {
  it('are shown to an admin on the user’s page, and can be held there', async () => {
    const account = { state: 'ready', isHeld: false };
    const user = {
      ...sam,
      user_name: 'sam',
      phone: '+1 503 555 0142',
      country: 'United States',
      state: 'Oregon',
      city: 'Portland',
      address: '1 Oak Street',
      emailVerified: true,
      disabled: false,
      revision: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    Object.assign(api.handlers, {
      'GET /api/users/:id': () => ({ user }),
      'GET /api/user/:id/payout-account': () => account,
      [hold]: ({ json }: { json: object }) => Object.assign(account, json),
    });
    const { user: pointer } = await renderApp(`/admin/user-details?id=${ids.sam}`, {
      api,
      user: admin,
    });

    const section = await screen.findByRole('region', { name: 'Payouts' });
    expect(await within(section).findByText('Ready')).toBeVisible();
    expect(within(section).getByRole('link', { name: 'See the earnings' })).toHaveAttribute(
      'href',
      `/user/earnings?owner=${ids.sam}`,
    );
    await pointer.click(
      within(section).getByRole('button', { name: 'Hold payouts of Sam Okafor' }),
    );
    await pointer.click(await screen.findByRole('button', { name: 'Hold payouts' }));

    expect(await within(section).findByText('Ready, on hold')).toBeVisible();
  });
});
