import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Work } from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const admin = { ...rita, role: 'Admin' };
const since = '2026-11-20T09:00:00.000Z';

function work(kind: Work['kind'], count: number | null = 0, dueAt: string | null = null): Work {
  return { kind, count, since: count ? since : null, dueAt };
}

function noWork() {
  return { work: [work('dead-letter')] };
}

const tool = {
  id: '0190a000-0000-7000-8000-00000000000a',
  name: 'Band saw',
  category: 'Saws',
  owner: { id: ids.sam, first_name: 'Sam', last_name: 'Rivera' },
  price: 12.5,
  rental_circle: 'daily',
  quantity: 1,
  rating: 0,
  cover_image: 'null',
  isOffered: false,
  createdAt: since,
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/admin/stats/accounts': () => ({ total: 1, signUps: [] }),
    'GET /api/admin/stats/catalog': () => ({ total: 1, listings: [] }),
    'GET /api/admin/stats/bookings': () => ({ total: 1, revenueCents: 0, days: [] }),
    'GET /api/admin/work/accounts': noWork,
    'GET /api/admin/work/catalog': noWork,
    'GET /api/admin/work/messaging': noWork,
    'GET /api/admin/work/notifications': noWork,
    'GET /api/admin/work/bookings': () => ({
      work: [
        work('problem', 2),
        work('return', 1, '2999-01-01T00:00:00.000Z'),
        work('dead-letter'),
      ],
    }),
    'GET /api/admin/work/payments': () => ({
      work: [
        work('dispute', 1, '2026-01-01T00:00:00.000Z'),
        work('fraud-warning'),
        work('refund'),
        work('transfer'),
        work('dead-letter'),
      ],
    }),
    'GET /api/admin/money': () => ({
      months: [
        {
          month: '2026-11',
          chargedCents: 50_000,
          refundedCents: 0,
          paidOutCents: 0,
          commissionCents: 0,
        },
        {
          month: '2026-10',
          chargedCents: 120_000,
          refundedCents: 900,
          paidOutCents: 0,
          commissionCents: 0,
        },
        {
          month: '2026-09',
          chargedCents: 100_000,
          refundedCents: 900,
          paidOutCents: 0,
          commissionCents: 0,
        },
      ],
    }),
    'GET /api/all-users': () => ({ users: [], total: 0, nextCursor: null }),
    'GET /api/all-bookings': () => ({ bookings: [], total: 0, nextCursor: null }),
    'GET /api/admin/tools': () => ({ tools: [], total: 0, nextCursor: null }),
  });
});
afterEach(() => api.stop());

function openDashboard() {
  return renderApp('/admin/admin-dashboard', { api, user: admin });
}
async function queue() {
  return within(await screen.findByRole('region', { name: 'Waiting for you' }));
}

describe('the admins’ work', () => {
  it('lists what waits, with its count, its deadline and the way to it, and names the kinds with nothing to do', async () => {
    await openDashboard();

    const waiting = await queue();
    await waitFor(() => {
      const rows = waiting.getAllByRole('listitem');
      expect(rows.map((row) => row.textContent)).toEqual([
        expect.stringMatching(/^1 dispute to answerEvidence due Jan 1.*, overdueAnswer$/),
        expect.stringMatching(/^2 reported problemsOldest since Nov 20.*Settle$/),
        expect.stringMatching(/^1 unconfirmed returnFirst completes by itself .*Check$/),
      ]);
    });
    const link = (name: string) => screen.getByRole('link', { name });
    expect(link('Answer: disputes to answer')).toHaveAttribute('href', '/admin/disputes');
    expect(link('Settle: reported problems')).toHaveAttribute('href', '/admin/problems');
    expect(link('Check: unconfirmed returns')).toHaveAttribute(
      'href',
      '/admin/all-rental-bookings?overdue=true',
    );
    const quiet = 'No fraud warnings, failed refunds or stuck transfers.';
    expect((await queue()).getByText(quiet)).toBeInTheDocument();
  });

  it('adds up the dead letters of all services, and says how to replay them', async () => {
    const letters = () => ({ work: [work('dead-letter', 2)] });
    api.handlers['GET /api/admin/work/catalog'] = letters;
    api.handlers['GET /api/admin/work/messaging'] = letters;
    const { user } = await openDashboard();

    expect(await (await queue()).findByText('4 dead letters')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'How to replay dead letters' }));

    expect(await screen.findByRole('dialog')).toHaveTextContent('npm run dead-letters -- replay');
  });

  it('shows the rest if a service does not answer, and names the failed request', async () => {
    api.handlers['GET /api/admin/work/payments'] = () => problem(503, 'UNAVAILABLE', 'Later.');
    const { user } = await openDashboard();

    const alert = await (await queue()).findByRole('alert');
    expect(alert).toHaveTextContent(/No answer from payments.*Later\..*Request r/);
    expect(await (await queue()).findByText(/reported problems/)).toBeInTheDocument();

    api.handlers['GET /api/admin/work/payments'] = () => ({ work: [work('refund', 3)] });
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));

    expect(await (await queue()).findByText(/failed refunds/)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(/No answer/)).not.toBeInTheDocument());
  });

  it('compares the last month with the one before, and shows this month so far', async () => {
    await openDashboard();

    const charged = within(await screen.findByRole('region', { name: 'Charged' }));
    expect(charged.getByText('$500.00')).toBeInTheDocument();
    expect(charged.getByText('in November so far')).toBeInTheDocument();
    expect(charged.getByText(/^October: \$1,200\.00/)).toHaveTextContent(
      'October: $1,200.00, 20 % more than in September',
    );
    const refunded = within(screen.getByRole('region', { name: 'Refunded' }));
    expect(refunded.getByText(/^October: /)).toHaveTextContent('$9.00, as much as in September');
  });
});

describe('the search of everything', () => {
  const search = async (words: string) => {
    const rendered = await openDashboard();
    await rendered.user.type(
      await screen.findByRole('searchbox', { name: 'Search everything' }),
      `${words}{Enter}`,
    );
    return rendered;
  };

  it('goes to the only booking that has the code', async () => {
    const booking = buildBooking();
    api.handlers['GET /api/all-bookings'] = ({ query }) => ({
      bookings: query.get('q') === 'LT123456' ? [booking] : [],
      nextCursor: null,
    });
    api.handlers['GET /api/rentalBookings/:id/details'] = () => ({ booking });
    const { here } = await search('LT123456');

    await waitFor(() => expect(here()).toBe(`/admin/booking-details?id=${booking.id}`));
  });

  it('lists what several services find, and offers all of it', async () => {
    api.handlers['GET /api/admin/tools'] = () => ({
      tools: Array.from({ length: 6 }, (_, n) => ({ ...tool, id: `${tool.id.slice(0, -1)}${n}` })),
      nextCursor: null,
    });
    api.handlers['GET /api/all-bookings'] = () => ({
      bookings: [buildBooking()],
      nextCursor: null,
    });
    await search('saw');

    const tools = within(await screen.findByRole('region', { name: 'Tools' }));
    expect(tools.getAllByRole('listitem')).toHaveLength(5);
    expect(tools.getByRole('link', { name: 'All tools with these words' })).toHaveAttribute(
      'href',
      '/admin/all-tools?q=saw',
    );
    expect(screen.getByRole('region', { name: 'Bookings' })).toBeInTheDocument();
  });

  it('searches payments for a Stripe id, and says if nothing has it', async () => {
    api.handlers['GET /api/admin/stripe/:id'] = () =>
      problem(404, 'STRIPE_OBJECT_NOT_FOUND', 'LendTools has nothing with this Stripe id.');
    await search('pi_1');

    expect(await screen.findByText('Nothing found')).toBeInTheDocument();
    expect(api.calls('GET /api/all-users')).toHaveLength(0);
  });

  it('goes to the booking of a transfer at Stripe', async () => {
    const booking = buildBooking();
    api.handlers['GET /api/rentalBookings/:id/details'] = () => ({ booking });
    api.handlers['GET /api/admin/stripe/:id'] = () => ({
      kind: 'transfer',
      paymentId: tool.id,
      ownerId: ids.sam,
      bookings: [{ ...booking, startsAt: since }],
    });
    const { here } = await search('tr_1');

    await waitFor(() => expect(here()).toBe(`/admin/booking-details?id=${booking.id}`));
  });
});

describe('the admins’ lists', () => {
  it('lists tools, with their owners, and filters them', async () => {
    api.handlers['GET /api/admin/tools'] = () => ({ tools: [tool], total: 1, nextCursor: null });
    const { user } = await renderApp('/admin/all-tools', { api, user: admin });

    expect(await screen.findByText('1 in total, newest first.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sam Rivera' })).toHaveAttribute(
      'href',
      `/admin/user-details?id=${ids.sam}`,
    );
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Unavailable');

    await waitFor(() =>
      expect(api.calls('GET /api/admin/tools').at(-1)?.query.get('state')).toBe('hidden'),
    );
  });

  it('lists reviews with few stars', async () => {
    api.handlers['GET /api/admin/reviews'] = () => ({
      reviews: [
        {
          id: tool.id,
          rating: 1,
          comment: 'It was broken.',
          toolId: tool.id,
          toolName: 'Band saw',
          bookingId: ids.sam,
          bookingCode: 'LT123456',
          renter: { id: ids.sam, first_name: 'Rita', last_name: 'Fox' },
          owner: tool.owner,
          createdAt: since,
          publishedAt: since,
        },
      ],
      total: 1,
      nextCursor: null,
    });
    await renderApp('/admin/all-reviews?stars=1', { api, user: admin });

    expect(await screen.findByText('It was broken.')).toBeInTheDocument();
    expect(api.calls('GET /api/admin/reviews')[0]?.query.get('stars')).toBe('1');
    expect(screen.getByRole('link', { name: 'Booking of Band saw, LT123456' })).toBeInTheDocument();
  });

  it('lists who writes to whom', async () => {
    api.handlers['GET /api/admin/threads'] = () => ({
      threads: [
        {
          id: tool.id,
          bookingId: ids.sam,
          toolName: 'Band saw',
          owner: tool.owner,
          renter: { id: ids.sam, first_name: 'Rita', last_name: 'Fox' },
          startedAt: since,
          lastAt: since,
          messages: 7,
        },
      ],
      nextCursor: null,
    });
    await renderApp('/admin/all-messages', { api, user: admin });

    expect(await screen.findByText('7')).toBeInTheDocument();
    expect(screen.getByText(/texts are private/)).toBeInTheDocument();
  });
});
