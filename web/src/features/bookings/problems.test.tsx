import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Booking, BookingProblem } from '@lendtools/contracts';
import { screen, within } from '@testing-library/react';
import { buildBooking, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem as problemReply } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const ada = { ...rita, id: '0190c000-0000-7000-8000-0000000000aa', role: 'Admin' as const };
const problemId = '01914000-0000-7000-8000-000000000001';
const reportCall = 'POST /api/user/:userId/rentalBookings/report-problem/:id';
const settleCall = 'POST /api/admin/problems/:id/settle';

const reported: NonNullable<Booking['problems']>[number] & { text: string } = {
  id: problemId,
  kind: 'reported',
  by: 'renter',
  text: 'The chuck is broken.',
  openedAt: '2026-11-03T09:00:00.000Z',
  settledAt: null,
  note: '',
};

let booking: Booking;
let problems: BookingProblem[];
let api: FakeApi;
const handlers: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
  'GET /api/admin/problems': () => ({ problems, open: problems.length, nextCursor: null }),
};
beforeEach(async () => {
  booking = buildBooking({ allowedActions: ['reportProblem'] });
  problems = [];
  api = await FakeApi.start(handlers);
});
afterEach(() => api.stop());

function asRenter() {
  return renderApp(`/user/my-rental-history-details?id=${ids.booking}`, { api, user: rita });
}

describe('reporting a problem', () => {
  it('sends the problem to the admins, and tells the user that the admins will look at it', async () => {
    api.handlers = {
      ...handlers,
      [reportCall]: () => {
        booking = buildBooking({ allowedActions: [], problems: [reported], hasOpenProblem: true });
        return [201, { rental: booking }];
      },
    };
    const { user } = await asRenter();

    await user.click(await screen.findByRole('button', { name: 'Report a problem' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText('Please enter what is wrong')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/What is wrong/), 'The chuck is broken.');
    await user.click(dialog.getByRole('button', { name: 'Send report' }));

    const note = await screen.findByRole('alert', { name: 'You have reported a problem' });
    expect(note).toHaveTextContent('“The chuck is broken.”');
    expect(note).toHaveTextContent('Our team looks at it');
    expect(screen.queryByRole('button', { name: 'Report a problem' })).not.toBeInTheDocument();
  });

  it('keeps the text of a report if the request fails', async () => {
    api.handlers = {
      ...handlers,
      [reportCall]: () => problemReply(409, 'PROBLEM_REPORTED', 'You have reported one already.'),
    };
    const { user } = await asRenter();

    await user.click(await screen.findByRole('button', { name: 'Report a problem' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/What is wrong/), 'It smokes.');
    await user.click(dialog.getByRole('button', { name: 'Send report' }));

    expect(await dialog.findByText('You have reported one already.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/What is wrong/)).toHaveValue('It smokes.');
  });

  it('shows the other party the reporter’s name and the settlement’s note, but not the report', async () => {
    const settled = { settledAt: '2026-11-04T09:00:00.000Z', note: 'Rita pays for a new chuck.' };
    booking = buildBooking({ problems: [{ ...reported, ...settled, text: null }] });
    await renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: sam });

    const note = await screen.findByRole('alert', { name: 'Rita has reported a problem' });
    expect(note).toHaveTextContent('LendTools wrote: “Rita pays for a new chuck.”');
    expect(note).not.toHaveTextContent('chuck is broken');
  });
});

describe('the problems page of an admin', () => {
  const open: BookingProblem = {
    ...reported,
    bookingId: ids.booking,
    booking_code: 'LT482913',
    name: 'Hammer drill',
    renter: partyOf(rita),
    owner: partyOf(sam),
    settledBy: null,
  };

  it('settles a problem with a note', async () => {
    problems = [open];
    api.handlers = {
      ...handlers,
      [settleCall]: () => {
        problems = [];
        return { problem: { ...open, settledAt: '2026-11-04T09:00:00.000Z', note: 'Talked.' } };
      },
    };
    const { user } = await renderApp('/admin/problems', { api, user: ada });

    await user.click(await screen.findByRole('button', { name: 'Settle: Hammer drill, LT482913' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Note/), 'Talked.');
    await user.click(dialog.getByRole('button', { name: 'Settle' }));

    expect(await screen.findByText('No open problems')).toBeInTheDocument();
  });

  it('shows problems settled today newest first, with the time and without the date', async () => {
    const now = new Date().toISOString();
    problems = [{ ...open, openedAt: now, settledAt: now, note: 'Talked.' }];
    await renderApp('/admin/problems?state=settled', { api, user: ada });

    expect(await screen.findByText(/^Settled at/)).toHaveTextContent(
      /^Settled at \d+:\d\d [AP]M: “Talked.”$/,
    );
    expect(screen.getByText(/^Reported by the renter/)).toHaveTextContent(/ at \d+:\d\d [AP]M\./);
    expect(screen.getByText('1 open. The newest first.')).toBeInTheDocument();
  });

  it('shows a message if there are no problems', async () => {
    await renderApp('/admin/problems', { api, user: ada });

    expect(await screen.findByText('No open problems')).toBeInTheDocument();
  });
});

function partyOf({ id, first_name, last_name }: typeof rita) {
  return { id, first_name, last_name };
}
