import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Payouts, PayoutWait } from '@lendtools/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { buildBooking, buildNotice, ids, sam } from '../../../test/bookings.ts';
import { buildEarned, buildMonth, buildPaid, buildPayouts } from '../../../test/earnings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const get = 'GET /api/user/:id/payouts';
const ready = {
  state: 'ready',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
  isHeld: false,
};

let reply: Payouts;
let account: object;
let api: FakeApi;
beforeEach(async () => {
  reply = buildPayouts([buildEarned()]);
  account = ready;
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/payout-account': () => account,
    [get]: () => reply,
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  return api.stop();
});

function show(search = '', user = sam) {
  return renderApp(`/user/earnings${search}`, { api, user });
}

async function rowsOf(name: string) {
  return within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1);
}

function waitingFor(waitsFor: PayoutWait, cents = 3_060, bookings = 1) {
  return buildPayouts([buildEarned({ waitsFor })], { waiting: [{ waitsFor, cents, bookings }] });
}

/** The names of the files that the page saves. */
function savedFiles() {
  const names: string[] = [];
  jest.spyOn(URL, 'createObjectURL').mockReturnValue('blob:statement');
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  return names;
}

describe('the page "Earnings"', () => {
  it('has a link in the menu, and shows what is on the way, available and paid', async () => {
    reply = buildPayouts([
      buildEarned(),
      buildEarned({ bookingId: ids.hold, onTheWayCents: 0, availableCents: 1_000 }),
      buildPaid({ bookingId: ids.payment, transferredCents: 2_000 }),
    ]);
    await show();

    const tile = async (name: string) => await screen.findByRole('region', { name });
    expect(await tile('On the way')).toHaveTextContent('$30.60');
    expect(await tile('Available')).toHaveTextContent('$10.00');
    expect(await tile('Paid')).toHaveTextContent('$20.00');
    expect(screen.getAllByRole('link', { name: 'Earnings' })[0]).toHaveAttribute(
      'href',
      '/user/earnings',
    );
  });

  it('shows when the next transfer is sent', async () => {
    reply = buildPayouts([buildEarned()], {
      next: { at: '2099-11-06T17:00:00.000Z', cents: 3_060 },
    });
    await show();

    expect(await screen.findByText(/^Next, we send you/)).toHaveTextContent(
      /^Next, we send you \$30\.60, on Nov 6, /,
    );
  });

  it.each<[PayoutWait, string, string | null]>([
    ['rental', 'The rental is not over', '/user/my-bookings'],
    ['problem', 'A problem was reported', '/user/my-bookings'],
    ['release', 'Problems can still be reported', null],
    ['dispute', 'The bank of the renter’s card asks about the payment', null],
    ['hold', 'Your payouts are on hold', null],
    ['transfer', 'It is being sent', null],
  ])('explains money that waits for: %s', async (waitsFor, title, address) => {
    reply = waitingFor(waitsFor, 6_120, 2);
    await show();

    const section = await screen.findByRole('region', { name: 'What your money waits for' });
    expect(section).toHaveTextContent(`${title}: $61.20 from 2 bookings`);
    const link = within(section).queryByRole('link');
    expect(link?.getAttribute('href') ?? null).toBe(address);
    const hasNothingToDo = section.textContent?.includes('You don’t need to do anything.');
    expect(hasNothingToDo).toBe(!address && waitsFor !== 'hold');
  });

  it('leads an owner who can’t be paid yet to the one next step', async () => {
    account = { ...ready, state: 'incomplete' };
    reply = waitingFor('account');
    const { user, here } = await show();

    const section = await screen.findByRole('region', { name: 'What your money waits for' });
    const step = await within(section).findByRole('link', { name: 'Continue at Stripe' });
    expect(section).toHaveTextContent('You’re almost there: $30.60 from 1 booking');
    await user.click(step);

    expect(here()).toBe('/user/get-paid');
  });

  it('explains a debt in plain words', async () => {
    reply = buildPayouts([
      buildPaid({ refundedCents: 3_400, commissionCents: 0, earnedCents: 0, debtCents: 3_060 }),
    ]);
    await show();

    const alert = await screen.findByRole('alert', { name: 'You owe $30.60' });
    expect(alert).toHaveTextContent('keep it from what you earn next');
    const [row] = await rowsOf('Earnings by booking');
    expect(row).toHaveTextContent('You owe$30.60 to give back');
  });

  it('lists each booking as a sum, with its status and the reason why it waits', async () => {
    reply = buildPayouts([
      buildEarned(),
      buildEarned({
        bookingId: ids.hold,
        bookingCode: 'LT111111',
        refundedCents: 1_000,
        commissionCents: 240,
        onTheWayCents: 0,
        availableCents: 2_160,
        waitsFor: 'dispute',
        expectedAt: null,
      }),
      buildPaid({ bookingId: ids.payment, bookingCode: 'LT222222' }),
      buildPaid({ bookingId: ids.drill, transferredCents: 0, nettedCents: 3_060 }),
      buildPaid({ bookingId: ids.saw, transferredCents: 0, outsideStripeCents: 3_400 }),
      buildPaid({ bookingId: ids.message, transferredCents: 0, refundedCents: 3_400 }),
    ]);
    await show();

    const rows = await rowsOf('Earnings by booking');
    expect(rows.map((row) => within(row).getByTestId('status').textContent)).toEqual([
      'On the way',
      'Available',
      'Paid',
      'Kept for a debt',
      'Not paid by Stripe',
      'Nothing earned',
    ]);
    expect(rows[0]).toHaveTextContent('$34.00 − $3.40 = $30.60');
    expect(rows[0]).toHaveTextContent('The rental is not over');
    expect(rows[0]).toHaveTextContent('Expected Nov 6, 2099');
    expect(rows[1]).toHaveTextContent('$24.00 − $2.40 = $21.60$34.00 less $10.00 refunded');
    expect(rows[1]).toHaveTextContent('The renter’s bank decides');
    expect(rows[2]).toHaveTextContent('$30.60 on Nov 6, 2026');
    expect(
      within(rows[0] as HTMLElement).getByRole('link', { name: 'Hammer drill, LT482913' }),
    ).toHaveAttribute('href', `/user/my-bookings-details?id=${ids.booking}`);
  });

  it('loads more bookings, and filters them in the address', async () => {
    const second = buildPaid({ bookingId: ids.hold, bookingCode: 'LT111111' });
    api.handlers[get] = ({ query }) => {
      if (query.get('cursor')) return { bookings: [second], nextCursor: null };
      if (query.get('when') === 'over') return buildPayouts([second]);
      return { ...buildPayouts([buildEarned()]), nextCursor: 'next' };
    };
    const { user, here } = await show();

    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByRole('link', { name: 'Hammer drill, LT111111' });
    expect(await rowsOf('Earnings by booking')).toHaveLength(2);
    await user.click(screen.getByRole('radio', { name: 'Done' }));

    await waitFor(() =>
      expect(screen.queryByRole('link', { name: 'Hammer drill, LT482913' })).toBeNull(),
    );
    expect(here()).toBe('/user/earnings?when=over');
    expect(screen.getByRole('region', { name: 'On the way' })).toHaveTextContent('$30.60');
  });

  it('saves the statement of a month as PDF and CSV', async () => {
    reply = buildPayouts([buildPaid()], { months: [buildMonth({ month: '2026-10' })] });
    api.handlers['GET /api/user/:id/statements/:month/:format'] = () => ({});
    const names = savedFiles();
    const { user } = await show();

    const [row] = await rowsOf('Earnings by month');
    expect(row).toHaveTextContent('October 2026');
    expect(row).toHaveTextContent('$34.00 − $3.40 = $30.60');
    await user.click(screen.getByRole('button', { name: 'PDF statement of October 2026' }));
    await waitFor(() => expect(names).toEqual(['lendtools-statement-2026-10.pdf']));
    await user.click(screen.getByRole('button', { name: 'CSV statement of October 2026' }));

    await waitFor(() => expect(names[1]).toBe('lendtools-statement-2026-10.csv'));
    expect(
      api.calls('GET /api/user/:id/statements/:month/:format').map(({ path }) => path),
    ).toEqual([
      `/api/user/${sam.id}/statements/2026-10/pdf`,
      `/api/user/${sam.id}/statements/2026-10/csv`,
    ]);
  });

  it('shows a month with more refunds than rentals as one sum, and marks the current month', async () => {
    const current = new Date().toISOString().slice(0, 7);
    reply = buildPayouts([buildPaid()], {
      months: [
        buildMonth({ month: current, priceCents: 0, refundedCents: 3_400, commissionCents: -340 }),
      ],
    });
    await show();

    const [row] = await rowsOf('Earnings by month');
    expect(row).toHaveTextContent('so far');
    expect(row).toHaveTextContent('-$30.60');
  });

  it('reports a statement that cannot be loaded', async () => {
    reply = buildPayouts([buildPaid()], { months: [buildMonth()] });
    api.handlers['GET /api/user/:id/statements/:month/:format'] = () =>
      problem(429, 'TOO_MANY_REQUESTS', 'You have downloaded many statements within an hour.');
    const { user } = await show();

    await user.click(await screen.findByRole('button', { name: 'PDF statement of November 2026' }));

    expect(
      await screen.findByText('You have downloaded many statements within an hour.'),
    ).toBeVisible();
  });

  it('changes as soon as a notice about money arrives', async () => {
    await show();
    await screen.findByText('On the way', { selector: '[data-testid=status]' });

    reply = buildPayouts([buildPaid()]);
    act(() => emitLocally('notice:created', buildNotice({ kind: 'earnings' })));

    expect(await screen.findByText('Paid', { selector: '[data-testid=status]' })).toBeVisible();
  });

  it('invites an owner who has earned nothing to list a tool', async () => {
    reply = buildPayouts([]);
    await show();

    expect(await screen.findByRole('heading', { name: 'Nothing earned yet' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'On the way' })).toBeNull();
  });

  it('offers to try again if the earnings do not load', async () => {
    api.handlers[get] = () => problem(500, 'INTERNAL_ERROR', 'Our mistake.');
    const { user } = await show();
    const again = await screen.findByRole('button', { name: 'Try again' });
    api.handlers[get] = () => reply;
    await user.click(again);

    expect(await rowsOf('Earnings by booking')).toHaveLength(1);
  });

  it('shows an admin what an owner sees, without the steps of the owner', async () => {
    api.handlers['GET /api/users/:id'] = () => ({ user: sam });
    reply = waitingFor('rental');
    await show(`?owner=${sam.id}`, { ...rita, role: 'Admin' });

    expect(await screen.findByText('What Sam Okafor sees.')).toBeVisible();
    const section = await screen.findByRole('region', { name: 'What your money waits for' });
    expect(section).toHaveTextContent('The rental is not over');
    expect(within(section).queryByRole('link')).toBeNull();
    expect(await rowsOf('Earnings by booking')).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Payouts' })).toHaveAttribute('href', '/admin/payouts');
    expect(api.calls(get)[0]?.path).toBe(`/api/user/${sam.id}/payouts`);
  });
});

describe('the links to the earnings', () => {
  it.each([
    ['earnings', '/user/earnings'],
    ['debt', '/user/earnings'],
    ['payouts', '/user/get-paid'],
    ['payout-reminder', '/user/get-paid'],
  ] as const)('are in notices: %s', async (kind, address) => {
    const notice = buildNotice({ kind, message: 'Something about money' });
    api.handlers['GET /api/user/:id/notifications'] = () => ({
      notifications: [notice],
      unread: 1,
      nextCursor: null,
    });
    await renderApp('/user/notifications', { api, user: sam });

    expect(await screen.findByRole('link', { name: /^Something about money/ })).toHaveAttribute(
      'href',
      address,
    );
  });

  it('are on the owner’s booking and on My Tools', async () => {
    const earnings = { gross: 34, fee: 3.4, net: 30.6 };
    Object.assign(api.handlers, {
      'GET /api/rentalBookings/:id/details': () => ({ booking: buildBooking({ earnings }) }),
      'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
      'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
      'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: [], nextCursor: null }),
      'GET /api/user/:id/earnings': () => ({
        tools: [],
        total: { earnedCents: 3_400, toComeCents: 0 },
      }),
    });
    const { router } = await renderApp(`/user/my-bookings-details?id=${ids.booking}`, {
      api,
      user: sam,
    });

    const link = () => screen.findByRole('link', { name: 'See when you are paid' });
    expect(await link()).toHaveAttribute('href', '/user/earnings');
    await act(() => router.navigate('/user/my-rentals'));
    await screen.findByText(/Earned so far/);

    expect(await link()).toHaveAttribute('href', '/user/earnings');
  });
});
