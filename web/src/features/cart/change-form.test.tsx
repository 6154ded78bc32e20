import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangePreview } from '@lendtools/contracts';
import { screen, waitFor } from '@testing-library/react';
import { buildBooking, ids } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const startsAt = '2999-06-10T16:00:00.000Z';
const booking = buildBooking({
  startsAt,
  endsAt: '2999-06-13T16:00:00.000Z',
  quantity: 2,
  allowedActions: ['change'],
  start_date: '2999-06-10',
  end_date: '2999-06-13',
});

let preview: ChangePreview;
const handlers: Handlers = {
  'GET /api/rentalBookings/:id/details': () => ({ booking }),
  'GET /api/get-tool/:id': () => ({ tool: [buildTool({ quantity: 2 })] }),
  'GET /api/user/:id/rentalBookings/change-preview/:bookingId': () => ({ preview }),
  'POST /api/user/:id/rentalBookings/change-booking/:bookingId': () => ({
    message: 'Your booking is changed.',
    rental: booking,
    hold: null,
  }),
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

async function takeOne() {
  const opened = await renderApp(`/user/change-booking?id=${ids.booking}`, { api, user: rita });
  await opened.user.click(await screen.findByRole('button', { name: 'One less' }));
  return opened;
}

const cheaper: ChangePreview = {
  totalBeforeCents: 7_500,
  totalCents: 2_500,
  period: 2,
  discountCents: 0,
  dueCents: 0,
  refundCents: 0,
  keptCents: 5_000,
  policy: null,
  percent: 0,
  answerBy: null,
};
const again = /^If you change your mind, these days are paid again\.$/;

describe('a change that costs no more', () => {
  it('is replaced in the browser history by the booking once it is confirmed', async () => {
    preview = { ...cheaper, refundCents: 5_000, keptCents: 0, percent: 100 };
    const { user, router, here } = await takeOne();

    await screen.findByText('$50.00 goes back to your card.');
    await user.click(screen.getByRole('button', { name: 'Change booking' }));

    await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
    expect(router.state.historyAction).toBe('REPLACE');
  });
});

describe('a change that the server rejects', () => {
  const words = 'Many of your payments were refunded today. Please try again in 3 hours.';
  const rejected = () => problem(429, 'TOO_MANY_REQUESTS', words);

  it('shows the reason instead of its price, and disables the button', async () => {
    api.handlers = {
      ...handlers,
      'GET /api/user/:id/rentalBookings/change-preview/:bookingId': rejected,
    };
    await takeOne();

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Change booking' })).toBeDisabled();
  });

  it('shows the reason if it is rejected on submit', async () => {
    preview = { ...cheaper, refundCents: 5_000, keptCents: 0, percent: 100 };
    api.handlers = {
      ...handlers,
      'POST /api/user/:id/rentalBookings/change-booking/:bookingId': rejected,
    };
    const { user } = await takeOne();

    await screen.findByText('$50.00 goes back to your card.');
    await user.click(screen.getByRole('button', { name: 'Change booking' }));

    expect(await screen.findByText(words)).toBeVisible();
  });
});

describe('a change that the owner has to accept', () => {
  const onRequest = { ...cheaper, answerBy: '2999-06-01T20:30:00.000Z' };
  const notice =
    /^Sam is asked first, and may answer until .*Jun 1.*your booking stays as it is\.$/;

  it('shows the owner’s deadline to answer, and is requested without a payment if it costs no more', async () => {
    preview = { ...onRequest, refundCents: 5_000, keptCents: 0, percent: 100 };
    api.handlers = {
      ...handlers,
      'POST /api/user/:id/rentalBookings/change-booking/:bookingId': () => ({
        message: 'The owner is asked.',
        hold: null,
        rental: { ...booking, approval: { status: 'pending' } },
      }),
    };
    const { user, here } = await takeOne();

    expect(await screen.findByText(notice)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ask Sam' }));

    expect(
      await screen.findByText('Sam is asked. Until then your booking stays as it is.'),
    ).toBeInTheDocument();
    await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
  });

  it('shows that it is charged only if the owner accepts', async () => {
    preview = { ...onRequest, dueCents: 2_400, keptCents: 0 };
    await takeOne();

    expect(await screen.findByText('You pay $24.00 more if Sam accepts.')).toBeVisible();
    expect(screen.getByText(notice)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Ask Sam' })).toBeEnabled();
  });
});

describe('the number of changes left', () => {
  it.each([
    [{ today: 1, inAll: 26 }, 'You can change this booking once more today.'],
    [{ today: 2, inAll: 27 }, 'You can change this booking twice more today.'],
    [{ today: 1, inAll: 1 }, 'You can change this booking once more.'],
  ])('is shown if it is low: %o', async (changesLeft, words) => {
    preview = { ...cheaper, changesLeft };
    await takeOne();

    expect(await screen.findByText(words)).toBeVisible();
  });

  it('is hidden while it is high', async () => {
    preview = { ...cheaper, changesLeft: { today: 3, inAll: 28 } };
    await takeOne();

    expect(await screen.findByText('New price')).toBeVisible();
    expect(screen.queryByText(/^You can change this booking/)).not.toBeInTheDocument();
  });
});

describe('a change to a lower price', () => {
  it('warns that undoing it costs the full price', async () => {
    preview = cheaper;
    await takeOne();

    expect(await screen.findByText(/\$50\.00 stays with Sam\./)).toBeVisible();
    expect(screen.getByText(again)).toBeVisible();
  });

  it('shows no warning about undoing if the whole difference is refunded', async () => {
    preview = { ...cheaper, refundCents: 5_000, keptCents: 0, percent: 100 };
    await takeOne();

    expect(await screen.findByText('$50.00 goes back to your card.')).toBeVisible();
    expect(screen.queryByText(again)).not.toBeInTheDocument();
  });
});
