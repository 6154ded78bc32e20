import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import {
  buildBooking,
  buildCancelled,
  buildMessage,
  buildPreview,
  buildReply,
  ids,
  sam,
} from '../../../test/bookings.ts';
import { FakeApi, type Handlers, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const none: Handlers = {
  'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
  'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
  'GET /api/rentalBookings/:id/details': () => ({ booking: buildBooking() }),
  'GET /api/rentalBookings/:id/cancel-preview': () => ({ preview: buildPreview() }),
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
  'POST /api/rentalBookings/:id/send-message': ({ json }) => [
    201,
    { messaging: buildMessage({ message: String(json.message) }) },
  ],
};
const begun: Handlers = {
  ...none,
  'GET /api/messaging/:id/my-messages': () => ({ messaging: [buildMessage()] }),
  'GET /api/replies/:id/my-replies': () => ({ replies: [buildReply(1)], nextCursor: null }),
  'POST /api/user/:id/messaging/:mid/send-reply': ({ json }) => [
    201,
    { reply: buildReply(2, { message: String(json.message), user: rita }) },
  ],
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start(begun);
});
afterEach(() => {
  jest.useRealTimers();
  return api.stop();
});

function openAsRenter() {
  return renderApp(`/user/my-rental-history-details?id=${ids.booking}`, { api, user: rita });
}

function openAsOwner() {
  return renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: sam });
}

function detailsOf(booking: Booking): Handlers {
  return {
    'GET /api/rentalBookings/:id/details': () => ({ booking }),
  };
}

function thread() {
  return within(screen.getByRole('region', { name: 'Messages' }));
}

function texts() {
  return thread()
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

describe('the facts of a booking', () => {
  it('shows how the price of a booking is calculated', async () => {
    await openAsRenter();

    expect(await screen.findByText('$12.00 × 2 days')).toBeVisible();
    expect(screen.getByText('$24.00')).toBeVisible();
  });
});

describe('the commission on a booking', () => {
  const earnings = { gross: 34, fee: 3.4, net: 30.6 };

  it('is shown to the owner as a sum', async () => {
    api.handlers = { ...begun, ...detailsOf(buildBooking({ earnings })) };
    await openAsOwner();

    const name = await screen.findByText('You earn');
    expect(name.nextElementSibling).toHaveTextContent('$34.00 − $3.40 = $30.60');
  });

  it.each([null, undefined])('is not mentioned if there is none: %s', async (none) => {
    api.handlers = { ...begun, ...detailsOf(buildBooking({ earnings: none })) };
    await openAsOwner();

    expect(await screen.findByText('Amount paid')).toBeVisible();
    expect(screen.queryByText('You earn')).toBeNull();
  });
});

describe('the explanation of a cancellation', () => {
  const words = 'Cancelled by LendTools on Nov 2, 2026.';

  it.each([
    ['the renter', openAsRenter, 'Sam’s account is no longer active.'],
    ['the owner, once they may log in again', openAsOwner, 'Your account was not active.'],
  ] as const)('tells %s that the owner’s account was disabled', async (_, open, why) => {
    const cancelled = buildCancelled({ by: 'admin', cause: 'owner-disabled', reason: '' });
    api.handlers = { ...begun, ...detailsOf(cancelled) };
    await open();

    expect(await screen.findByText(/^Cancelled by/)).toHaveTextContent(`${words} ${why} $24.00`);
  });

  it('names a lost dispute as the cause', async () => {
    const cancelled = buildCancelled({ by: 'admin', cause: 'dispute-lost', reason: '', refund: 0 });
    api.handlers = { ...begun, ...detailsOf(cancelled) };
    await openAsOwner();

    expect(await screen.findByText(/^Cancelled by/)).toHaveTextContent(
      `${words} The payment was disputed, and the bank returned it to the cardholder.`,
    );
  });

  it('quotes the reason that was entered', async () => {
    const cancelled = buildCancelled({ by: 'owner', cause: null, reason: 'The motor died.' });
    api.handlers = { ...begun, ...detailsOf(cancelled) };
    await openAsRenter();

    expect(await screen.findByText(/^Cancelled by/)).toHaveTextContent(
      'Cancelled by Sam on Nov 2, 2026. The reason: “The motor died.” $24.00 goes back to your card.',
    );
  });
});

describe('the completion date of a booking', () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const ended = buildBooking({ endsAt: inHours(-1), completesAt: inHours(47) });

  it.each([
    ['after the end of the rental', ended],
    [
      'once it is back',
      buildBooking({
        ...ended,
        booking_status: 'Returned',
        returnedAt: inHours(0),
        endsAt: inHours(9),
      }),
    ],
  ])('is shown %s', async (_, booking) => {
    api.handlers = { ...begun, ...detailsOf(booking) };
    await openAsRenter();

    expect(await screen.findByText(/^Completes by itself/)).toHaveTextContent(
      /^Completes by itself on \w{3} \d+, \d+:\d\d [AP]M, unless a problem is reported\.$/,
    );
  });

  it('is replaced by "in a moment" once it has passed', async () => {
    api.handlers = { ...begun, ...detailsOf({ ...ended, completesAt: inHours(-1) }) };
    await openAsRenter();

    expect(await screen.findByText(/^Completes by itself in a moment/)).toBeInTheDocument();
  });

  it.each([
    ['while it is out', { ...ended, endsAt: inHours(1) }],
    ['while a problem is open', { ...ended, completesAt: null }],
  ])('is not shown %s', async (_, booking) => {
    api.handlers = { ...begun, ...detailsOf(booking) };
    await openAsRenter();

    await screen.findByRole('region', { name: 'Booking' });
    expect(screen.queryByText(/^Completes by itself/)).not.toBeInTheDocument();
  });
});

describe('the warning about an overdue booking', () => {
  const overdue = buildBooking({ endsAt: new Date(Date.now() - 1_860_000).toISOString() });
  const since = 'It was due back on Wed, Nov 4, 2026, 9:00 AM.';

  it('asks the renter to return the tool or to write to the owner', async () => {
    api.handlers = { ...begun, ...detailsOf(overdue) };
    const { here, router, user } = await openAsRenter();

    const note = within(await screen.findByRole('alert', { name: 'Overdue' }));
    expect(note.getByText(since, { exact: false })).toHaveTextContent(
      'Please bring it back now, or tell Sam when you will.',
    );
    await user.click(note.getByRole('link', { name: 'Write to Sam' }));
    expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`);
    expect(router.state.location.hash).toBe('#messages');
  });

  it('asks the owner to write to the renter, and to confirm the return', async () => {
    api.handlers = { ...begun, ...detailsOf(overdue) };
    await openAsOwner();

    const note = within(await screen.findByRole('alert', { name: 'Overdue' }));
    expect(note.getByText(since, { exact: false })).toHaveTextContent(
      'Ask Rita when it comes, and confirm the return once you have it.',
    );
    expect(note.getByRole('link', { name: 'Write to Rita' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Confirm Returned' })).toBeInTheDocument();
  });

  it.each([
    [
      'within half an hour after the end',
      { ...overdue, endsAt: new Date(Date.now() - 60_000).toISOString() },
    ],
    ['once it is back', { ...overdue, booking_status: 'Returned' as const }],
    ['once it is cancelled', { ...overdue, ...buildCancelled(), endsAt: overdue.endsAt }],
  ])('is not shown %s', async (_, booking) => {
    api.handlers = { ...begun, ...detailsOf(booking) };
    await openAsOwner();

    await screen.findByRole('region', { name: 'Booking' });
    expect(screen.queryByText('Overdue')).not.toBeInTheDocument();
  });
});

describe('the thread of a booking', () => {
  it('sends its first message on Enter, but not on Shift+Enter', async () => {
    api.handlers = none;
    const { user } = await openAsRenter();

    const field = await screen.findByLabelText('Send a new message to the tool owner');
    await user.type(field, 'Is nine fine?{Shift>}{Enter}{/Shift}Rita{Enter}');

    await waitFor(() =>
      expect(api.calls('POST /api/rentalBookings/:id/send-message')).toHaveLength(1),
    );
    const [sent] = api.calls('POST /api/rentalBookings/:id/send-message');
    expect(sent?.json).toEqual({ message: 'Is nine fine?\nRita', userId: rita.id });
    expect(await screen.findByLabelText('Reply to Sam')).toHaveValue('');
  });

  it('shows a reply before the server has stored it, and does not repeat it when response and push arrive', async () => {
    let answer: (value: [number, object]) => void = () => undefined;
    const reply = buildReply(2, { message: 'See you then.', user: rita });
    api.handlers = {
      ...begun,
      'POST /api/user/:id/messaging/:mid/send-reply': () =>
        new Promise<[number, object]>((resolve) => {
          answer = resolve;
        }),
    };
    const { user } = await openAsRenter();

    await user.type(await screen.findByLabelText('Reply to Sam'), 'See you then.{Enter}');
    expect(await thread().findByText('Sending…')).toBeInTheDocument();
    await waitFor(() =>
      expect(api.calls('POST /api/user/:id/messaging/:mid/send-reply')).toHaveLength(1),
    );
    act(() => emitLocally('reply:sent', reply));
    answer([201, { reply }]);

    await waitFor(() => expect(thread().queryByText('Sending…')).toBeNull());
    expect(texts().filter((text) => text?.includes('See you then.'))).toHaveLength(1);
  });

  it('keeps a failed message until the user returns, and resends it with the same idempotency key', async () => {
    let tries = 0;
    api.handlers = {
      ...begun,
      'POST /api/user/:id/messaging/:mid/send-reply': ({ json }) => {
        tries += 1;
        return tries === 1
          ? problem(503, 'UNAVAILABLE', 'Please try again soon.')
          : [201, { reply: buildReply(2, { message: String(json.message), user: rita }) }];
      },
    };
    const { user, router, here } = await openAsRenter();
    const booking = here();

    await user.type(await screen.findByLabelText('Reply to Sam'), 'On my way.{Enter}');
    await thread().findByRole('alert');
    await act(() => router.navigate('/benefits'));
    await act(() => router.navigate(booking));
    await screen.findByLabelText('Reply to Sam');
    expect(await thread().findByRole('alert')).toHaveTextContent(
      'Not sent. Please try again soon.',
    );
    await user.click(thread().getByRole('button', { name: 'Try again' }));

    await waitFor(() => expect(thread().queryByRole('alert')).toBeNull());
    const keys = api
      .calls('POST /api/user/:id/messaging/:mid/send-reply')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(texts().filter((text) => text?.includes('On my way.'))).toHaveLength(1);
  });

  it('keeps failed messages and the current text over a reload, until sent or discarded', async () => {
    const reload = () => {
      cleanup();
      return openAsRenter();
    };
    const reply = 'POST /api/user/:id/messaging/:mid/send-reply';
    api.handlers = {
      ...begun,
      [reply]: () => problem(503, 'UNAVAILABLE', 'Please try again soon.'),
    };
    const { user } = await openAsRenter();
    for (const text of ['On my way.', 'Never mind.', 'And a dr'])
      await user.type(
        await screen.findByLabelText('Reply to Sam'),
        text.endsWith('.') ? `${text}{Enter}` : text,
      );
    await waitFor(() => expect(thread().getAllByRole('alert')).toHaveLength(2));

    const again = await reload();
    await waitFor(() => expect(thread().getAllByRole('alert')).toHaveLength(2));
    expect(
      texts()
        .slice(-2)
        .map((text) => text?.slice(0, 22)),
    ).toEqual(['You: On my way.Not sen', 'You: Never mind.Not se']);
    expect(screen.getByLabelText('Reply to Sam')).toHaveValue('And a dr');
    api.handlers = begun;
    await again.user.click(thread().getAllByRole('button', { name: 'Try again' })[0] as Element);
    await waitFor(() => expect(thread().getAllByRole('alert')).toHaveLength(1));
    await again.user.click(thread().getByRole('button', { name: 'Discard' }));
    await again.user.clear(screen.getByLabelText('Reply to Sam'));

    await reload();
    expect(await screen.findByLabelText('Reply to Sam')).toHaveValue('');
    expect(thread().queryByRole('alert')).toBeNull();
    const keys = api.calls(reply).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[1], keys[0]]);
  });

  it('offers no retry for a message whose response was lost if a push delivers the message', async () => {
    const stored = buildReply(2, { message: 'On my way.', user: rita });
    api.handlers = {
      ...begun,
      'POST /api/user/:id/messaging/:mid/send-reply': () => problem(502, 'UNAVAILABLE', 'Lost.'),
    };
    const { user } = await openAsRenter();
    await user.type(await screen.findByLabelText('Reply to Sam'), 'On my way.{Enter}');
    await thread().findByRole('alert');

    act(() => emitLocally('reply:sent', stored));

    await waitFor(() => expect(thread().queryByRole('alert')).toBeNull());
    expect(texts().filter((text) => text?.includes('On my way.'))).toHaveLength(1);
  });

  it('announces a sent message once, whether the response or the push comes first', async () => {
    const reply = 'POST /api/user/:id/messaging/:mid/send-reply';
    const sent = buildReply(7, { message: 'On my way.', user: rita });
    let answer = () => {};
    api.handlers = {
      ...begun,
      [reply]: async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return [201, { reply: sent }];
      },
    };
    const { user } = await openAsRenter();
    const said: (string | null)[] = [];
    await user.type(await screen.findByLabelText('Reply to Sam'), 'On my way.{Enter}');
    const status = document.querySelector('#messages [role=status]') as HTMLElement;
    new MutationObserver(() => said.push(status.textContent)).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    expect(status).toBeEmptyDOMElement();

    act(() => emitLocally('reply:sent', sent));
    await waitFor(() => expect(status).toHaveTextContent('Sent: On my way.'));
    answer();
    await waitFor(() => expect(api.calls(reply)).toHaveLength(1));
    await user.type(screen.getByLabelText('Reply to Sam'), 'x');

    expect(said).toEqual(['Sent: On my way.']);
  });

  it('shows the other party’s messages, and announces them to screen readers', async () => {
    await openAsRenter();
    await screen.findByText('Nine is fine.');

    act(() => emitLocally('reply:sent', buildReply(3, { message: 'Bring goggles.' })));
    act(() =>
      emitLocally('reply:sent', buildReply(4, { message: 'Not yours.', messageId: ids.saw })),
    );

    expect(await thread().findByText('Bring goggles.')).toBeInTheDocument();
    expect(screen.getByText('Sam: Bring goggles.')).toHaveAttribute('role', 'status');
    expect(screen.queryByText('Not yours.')).toBeNull();
  });

  it('sorts messages by position, whatever the order of their ids and pushes', async () => {
    const { user } = await openAsRenter();
    await screen.findByText('Nine is fine.');

    act(() => emitLocally('reply:sent', buildReply(5, { message: 'Third.', place: 3 })));
    act(() => emitLocally('reply:sent', buildReply(9, { message: 'Second.', place: 2 })));
    await screen.findByText('Second.');
    expect(texts().map((text) => /Second|Third/.exec(text ?? '')?.[0])).toEqual([
      undefined,
      undefined,
      'Second',
      'Third',
    ]);

    // The new reply's id sorts before those of earlier messages, because its server's clock is behind.
    let answer: (value: [number, object]) => void = () => undefined;
    const slow = buildReply(3, { message: 'See you then.', user: rita, place: 4 });
    api.handlers = {
      ...begun,
      'POST /api/user/:id/messaging/:mid/send-reply': () =>
        new Promise<[number, object]>((resolve) => {
          answer = resolve;
        }),
    };
    await user.type(screen.getByLabelText('Reply to Sam'), 'See you then.{Enter}');
    await thread().findByText('Sending…');
    act(() => emitLocally('reply:sent', slow));
    await waitFor(() => expect(thread().queryByText('Sending…')).toBeNull());

    expect(texts()).toHaveLength(5);
    expect(texts()[4]).toContain('See you then.');
    answer([201, { reply: slow }]);
    await waitFor(() => expect(texts()).toHaveLength(5));
  });

  it('sends the user’s first message as a reply if the other party has written meanwhile', async () => {
    const theirs = buildMessage({ message: 'Hello Rita!', user: sam });
    let requested = 0;
    api.handlers = {
      ...begun,
      'GET /api/messaging/:id/my-messages': () => {
        requested += 1;
        return { messaging: requested === 1 ? [] : [theirs] };
      },
      'GET /api/replies/:id/my-replies': () => ({ replies: [], nextCursor: null }),
      'POST /api/rentalBookings/:id/send-message': () =>
        problem(409, 'THREAD_ALREADY_OPEN', 'Please reply instead.'),
    };
    const { user } = await openAsRenter();

    const field = await screen.findByLabelText('Send a new message to the tool owner');
    await user.type(field, 'Hello Sam!{Enter}');

    await waitFor(() => expect(thread().queryByText('Sending…')).toBeNull());
    await waitFor(() => expect(texts()).toHaveLength(2));
    expect(texts()[0]).toContain('Hello Rita!');
    expect(texts()[1]).toContain('Hello Sam!');
  });
});

describe('the owner’s details page', () => {
  const confirmCall = 'PUT /api/user/:id/rentalBookings/update-booking/:bid';
  const undoCall = 'POST /api/user/:id/rentalBookings/undo-return/:bid';
  const relistCall = 'PUT /api/update-rental/:id';
  const statuses = () => api.calls(relistCall).map(({ json }) => json.item_status);

  const openReturnable = async (item_status = 'Unavailable', lent = buildBooking()) => {
    let booking = lent;
    const list = () => ({ bookings: [booking], nextCursor: null });
    api.handlers = {
      ...begun,
      'GET /api/rentalBookings/:id/details': () => ({ booking }),
      [confirmCall]: () => {
        const returnedAt = new Date().toISOString();
        const isCompleted = lent.booking_status === 'Completed';
        booking = buildBooking({
          returned_status: 'Returned',
          booking_status: isCompleted ? 'Completed' : 'Returned',
          returnedAt,
        });
        return { rental: booking };
      },
      [undoCall]: () => {
        booking = buildBooking();
        return { rental: booking };
      },
      'GET /api/get-tool/:id': () => ({
        tool: [{ id: ids.drill, name: 'Hammer drill', item_status }],
      }),
      [relistCall]: () => ({ message: 'Saved', rental: {} }),
      'GET /api/rentalBookings/my-bookings': list,
    };
    const app = await openAsOwner();
    await app.user.click(await screen.findByRole('button', { name: 'Confirm Returned' }));
    return app;
  };
  const findDialog = async () => within(await screen.findByRole('dialog'));

  it('confirms the return and re-lists the tool in one dialog, then opens the list of bookings', async () => {
    const { user, here } = await openReturnable();
    const dialog = await findDialog();
    expect(await dialog.findByRole('checkbox', { name: /^Re-list it/ })).toBeChecked();
    expect(api.calls(confirmCall)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Yes, it’s back' }));

    expect(await screen.findByText('Your tool is now available for rent')).toBeInTheDocument();
    await waitFor(() => expect(here()).toBe('/user/my-bookings'));
    const [confirmed] = api.calls(confirmCall);
    expect(confirmed?.json).toEqual({ authorization: 'Authorized', returned_status: 'Returned' });
    expect(statuses()).toEqual(['Available']);
  });

  it('undoes the return within a minute, from any of the owner’s screens', async () => {
    const { user, here } = await openReturnable();
    const dialog = await findDialog();
    await dialog.findByRole('checkbox', { name: /^Re-list it/ });
    await user.click(dialog.getByRole('button', { name: 'Yes, it’s back' }));
    await waitFor(() => expect(here()).toBe('/user/my-bookings'));

    await user.click(await screen.findByRole('button', { name: 'Undo' }));

    expect(await screen.findByText('Undone. Hammer drill is still out.')).toBeInTheDocument();
    expect(api.calls(undoCall)).toHaveLength(1);
    expect(statuses()).toEqual(['Available']);
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('does not confirm the return if the owner answers "Not yet"', async () => {
    const { user } = await openReturnable();

    await user.click((await findDialog()).getByRole('button', { name: 'Not yet' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls(confirmCall)).toEqual([]);
    expect(screen.getByRole('button', { name: 'Confirm Returned' })).toBeEnabled();
  });

  it('confirms the return without a dialog if the tool is listed, and offers an undo', async () => {
    const { here } = await openReturnable('Available');

    await waitFor(() => expect(here()).toBe('/user/my-bookings'));

    expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
    expect(api.calls(confirmCall)).toHaveLength(1);
    expect(api.calls(relistCall)).toEqual([]);
  });

  const completed = buildBooking({
    booking_status: 'Completed',
    completedAt: '2026-11-06T17:00:00.000Z',
    allowedActions: ['acceptReturn'],
  });

  it('offers no undo for the late return of a completed booking', async () => {
    const { here } = await openReturnable('Available', completed);

    await waitFor(() => expect(here()).toBe('/user/my-bookings'));

    expect(await screen.findByText(/^Hammer drill is back/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('shows that the return of a completed booking cannot be undone', async () => {
    const { user } = await openReturnable('Unavailable', completed);

    const dialog = await findDialog();
    expect(dialog.getByText(/^Rita is notified\. The booking stays completed/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Yes, it’s back' }));

    expect(await screen.findByText(/^Hammer drill is back/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it.each([
    ['offers the undo again after a reload', 20_000, true],
    ['offers no undo once a minute has passed', 61_000, false],
  ])('%s', async (_, ago, isOffered) => {
    const everySecond = jest.spyOn(globalThis, 'setInterval');
    const returnedAt = new Date(Date.now() - ago).toISOString();
    const booking = buildBooking({
      booking_status: 'Returned',
      returned_status: 'Returned',
      returnedAt,
    });
    api.handlers = { ...begun, ...detailsOf(booking), [undoCall]: () => ({ rental: booking }) };
    const { user } = await openAsOwner();
    await screen.findByText('LT482913');

    const button = screen.queryByRole('button', { name: 'Undo return' });
    expect(Boolean(button)).toBe(isOffered);
    expect(everySecond).not.toHaveBeenCalledWith(expect.anything(), 1_000);
    everySecond.mockRestore();
    if (!button) return;
    await user.click(button);
    expect(await screen.findByText('Undone. Hammer drill is still out.')).toBeInTheDocument();
  });

  it('removes the undo button after a minute', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const booking = buildBooking({
      booking_status: 'Returned',
      returned_status: 'Returned',
      returnedAt: new Date().toISOString(),
    });
    api.handlers = { ...begun, ...detailsOf(booking) };
    await openAsOwner();

    const button = await screen.findByRole('button', { name: 'Undo return' });
    act(() => void jest.advanceTimersByTime(61_000));

    expect(button).not.toBeInTheDocument();
  });

  it('cancels the booking only after a confirmation that shows the refund', async () => {
    const cancelled = buildBooking({ booking_status: 'Cancelled' });
    api.handlers = {
      ...begun,
      'POST /api/user/:id/rentalBookings/cancel-booking/:bid': () => ({
        message: 'Cancelled',
        rental: cancelled,
        refundCents: 2400,
      }),
    };
    const { user } = await openAsOwner();

    const button = await screen.findByRole('button', { name: 'Cancel booking' });
    await user.click(button);
    await user.click(await screen.findByRole('button', { name: 'Keep it' }));
    expect(api.calls('POST /api/user/:id/rentalBookings/cancel-booking/:bid')).toEqual([]);
    await user.click(button);
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }));

    expect(
      await screen.findByText('Booking cancelled. $24.00 goes back to the card.'),
    ).toBeInTheDocument();
    const [sent] = api.calls('POST /api/user/:id/rentalBookings/cancel-booking/:bid');
    expect(sent?.json).toEqual({ refundCents: 2_400 });
  });

  it('asks for another confirmation if a refund deadline has passed meanwhile', async () => {
    const half = buildPreview({
      policy: 'flexible',
      percent: 50,
      refundCents: 1_200,
      keptCents: 1_200,
    });
    const [status, body] = problem(409, 'REFUND_CHANGED', 'It is $12.00 now.');
    api.handlers = {
      ...begun,
      'POST /api/user/:id/rentalBookings/cancel-booking/:bid': ({ json }) =>
        json.refundCents === 1_200
          ? { message: 'Cancelled', rental: buildCancelled(), refundCents: 1_200 }
          : [status, { ...body, preview: half }],
    };
    const { user } = await openAsOwner();
    const agree = async (words: RegExp) => {
      const question = await screen.findByText(words);
      const dialog = within(question.closest('[role=dialog]') as HTMLElement);
      await user.click(dialog.getByRole('button', { name: 'Cancel booking' }));
    };

    await user.click(await screen.findByRole('button', { name: 'Cancel booking' }));
    await agree(/the full \$24.00/);
    await agree(/This has changed in the meantime. Rita gets \$12.00 back./);

    expect(
      await screen.findByText('Booking cancelled. $12.00 goes back to the card.'),
    ).toBeInTheDocument();
  });

  it('shows why the booking can no longer be canceled', async () => {
    const words = 'This rental has already started. Please ask the owner to cancel it.';
    api.handlers = {
      ...begun,
      'GET /api/rentalBookings/:id/cancel-preview': () => problem(409, 'BOOKING_STARTED', words),
    };
    const { user } = await openAsOwner();

    await user.click(await screen.findByRole('button', { name: 'Cancel booking' }));

    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('offers exactly the actions that the server allows, whatever the clock says', async () => {
    api.handlers = { ...begun, ...detailsOf(buildBooking({ allowedActions: ['acceptReturn'] })) };
    await openAsOwner();

    expect(await screen.findByRole('button', { name: 'Confirm Returned' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel booking' })).not.toBeInTheDocument();
  });

  it.each([
    ['when the rental starts', 300],
    ['when the rental started before the reply was shown', -5_000],
  ])('refetches the allowed actions %s', async (_, inMs) => {
    const startsAt = new Date(Date.now() + inMs).toISOString();
    const details = 'GET /api/rentalBookings/:id/details';
    api.handlers = {
      ...begun,
      [details]: () => ({
        booking: buildBooking({
          startsAt,
          allowedActions: api.calls(details).length > 1 ? ['acceptReturn'] : [],
        }),
      }),
    };
    await openAsOwner();

    expect(await screen.findByRole('button', { name: 'Confirm Returned' })).toBeInTheDocument();
  });

  it('offers neither a return nor a review of a canceled booking', async () => {
    api.handlers = { ...none, ...detailsOf(buildCancelled()) };
    await openAsOwner();

    expect(await screen.findByText(/^No messages. The booking is cancelled/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Confirm Returned' })).not.toBeInTheDocument();
    await waitFor(() => expect(api.calls('GET /api/rentalBookings/get-review')).toHaveLength(1));
    expect(screen.queryByText(/No review/)).not.toBeInTheDocument();
  });

  it('redirects a renter, who may come from a notice, to the renter’s page', async () => {
    const { here } = await renderApp(`/user/my-bookings-details?id=${ids.booking}`, {
      api,
      user: rita,
    });

    await waitFor(() => expect(here()).toBe(`/user/my-rental-history-details?id=${ids.booking}`));
  });
});

describe('the refund of a possible cancellation', () => {
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const screens = { renter: 'my-rental-history-details', owner: 'my-bookings-details' };

  it.each([
    ['renter', {}, 'You get the full $24.00 back to your card.'],
    [
      'renter',
      { refunded: 10, refundable: 14 },
      'You get $14.00 back to your card. $10.00 went back before.',
    ],
    ['renter', { refunded: 24, refundable: 0 }, 'The money was already refunded.'],
    [
      'renter',
      { refundable: 0 },
      'Nothing goes back to your card now: the payment was disputed with your bank.',
    ],
    [
      'renter',
      { refundable: 8 },
      'You get $8.00 back to your card. The rest was disputed with your bank.',
    ],
    [
      'renter',
      { held: 24 },
      'You get the full $24.00 back to your card. It waits until the dispute with your bank is over.',
    ],
    [
      'renter',
      { held: 8 },
      'You get the full $24.00 back to your card. $8.00 of it waits until the dispute with your bank is over.',
    ],
    ['owner', { held: 24 }, 'Rita gets the full $24.00 back. The dates are free again.'],
    ['owner', {}, 'Rita gets the full $24.00 back. The dates are free again.'],
    ['owner', { refundable: 0 }, 'Nothing goes back to Rita’s card now. The dates are free again.'],
  ] as const)('is shown to the %s, for %j: %s', async (side, money, words) => {
    const booking = buildBooking({ startsAt, ...money });
    const preview = buildPreview({ refundCents: booking.refundable * 100 });
    api.handlers = {
      ...begun,
      ...detailsOf(booking),
      'GET /api/rentalBookings/:id/cancel-preview': () => ({ preview }),
    };
    const viewer = side === 'renter' ? rita : sam;
    const address = `/user/${screens[side]}?id=${ids.booking}`;
    const { user } = await renderApp(address, { api, user: viewer });

    await user.click(await screen.findByRole('button', { name: 'Cancel booking' }));

    const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
    expect(dialog).toHaveTextContent(`Hammer drill, LT482913. ${words}`);
  });

  it.each([
    [
      { refundCents: 2_400, keptCents: 0, next: { percent: 50, refundCents: 1_200 } },
      'You get the full $24.00 back to your card. This holds until the end of Sun, Nov 29 (PST); after that it is $12.00.',
    ],
    [
      { percent: 50, refundCents: 1_200, keptCents: 1_200, next: { percent: 0, refundCents: 0 } },
      'You get $12.00 back to your card. By the cancellation policy, $12.00 stays with Sam. ' +
        'This holds until the end of Sun, Nov 29 (PST); after that nothing goes back.',
    ],
    [
      { percent: 0, refundCents: 0, keptCents: 2_400 },
      'Nothing goes back to your card. By the cancellation policy, $24.00 stays with Sam.',
    ],
  ])('follows the policy, for %j: %s', async (money, words) => {
    const until = '2026-11-30T08:00:00.000Z';
    const preview = buildPreview({ policy: 'moderate', until, ...money });
    api.handlers = {
      ...begun,
      ...detailsOf(buildBooking({ startsAt })),
      'GET /api/rentalBookings/:id/cancel-preview': () => ({ preview }),
    };
    const { user } = await openAsRenter();

    await user.click(await screen.findByRole('button', { name: 'Cancel booking' }));

    const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
    expect(dialog).toHaveTextContent(`Hammer drill, LT482913. ${words}`);
  });

  it('appears on the booking’s page until the rental starts', async () => {
    const starts = '2999-06-10T16:00:00.000Z';
    const booking = buildBooking({ startsAt: starts, cancellationPolicy: 'strict' });
    api.handlers = { ...begun, ...detailsOf(booking) };
    await openAsOwner();

    const words = '50% refund until the end of Sun, Jun 2 (PDT), then nothing.';
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByText('If the renter cancels')).toBeVisible();
  });
});

describe('the page of a cancelled booking', () => {
  it.each([
    [
      'renter',
      rita,
      '$9.00 goes back to your card. By the cancellation policy, $15.00 stays with Sam.',
    ],
    [
      'owner',
      sam,
      '$9.00 goes back to Rita’s card. By the cancellation policy, $15.00 stays with you.',
    ],
  ] as const)('shows the %s how much the owner keeps', async (side, user, words) => {
    const cancelled = buildCancelled({ by: 'renter', refund: 9 });
    const booking = { ...cancelled, cancellationPolicy: 'moderate' as const, refundable: 15 };
    api.handlers = { ...none, ...detailsOf(booking) };
    const screens = { renter: 'my-rental-history-details', owner: 'my-bookings-details' };
    await renderApp(`/user/${screens[side]}?id=${ids.booking}`, { api, user });

    expect(await screen.findByText(/^Cancelled by/)).toHaveTextContent(words);
  });

  const admin = { ...sam, id: ids.message, role: 'Admin' };

  it.each([
    ['renter', rita, 'owner', 'Cancelled by Sam on Nov 2, 2026. $24.00 goes back to your card.'],
    ['owner', sam, 'owner', 'Cancelled by you on Nov 2, 2026. $24.00 goes back to Rita’s card.'],
    [
      'admin',
      admin,
      'renter',
      'Cancelled by Rita on Nov 2, 2026. $24.00 goes back to Rita’s card.',
    ],
    ['owner', sam, 'admin', /^Cancelled by LendTools on Nov 2, 2026/],
  ] as const)(
    'shows the %s who canceled it, when, and the refund',
    async (role, user, by, words) => {
      const screens = {
        renter: 'user/my-rental-history-details',
        owner: 'user/my-bookings-details',
        admin: 'admin/booking-details',
      };
      api.handlers = { ...none, ...detailsOf(buildCancelled({ by })) };
      await renderApp(`/${screens[role]}?id=${ids.booking}`, { api, user });

      const booking = within(await screen.findByRole('region', { name: 'Booking' }));
      expect(booking.getByText('Cancelled')).toBeInTheDocument();
      expect(booking.getByText(words)).toBeInTheDocument();
      expect(booking.queryByText(/Authorized|Not returned/)).not.toBeInTheDocument();
    },
  );
});

describe('the review form', () => {
  it('requires stars and text, and sends both', async () => {
    api.handlers = {
      ...begun,
      'POST /api/user/:id/reviews/add-review': () => [
        201,
        { message: 'Thank you for your review.', review: {} },
      ],
    };
    const { user } = await openAsRenter();

    const send = await screen.findByRole('button', { name: 'Send a review' });
    await user.click(send);
    expect(await screen.findByText('Please choose 1 to 5 stars')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: '4 stars' }));
    await user.type(screen.getByLabelText('Your review'), 'Strong and clean.');
    await user.click(send);

    expect(await screen.findByText('Thank you for your review.')).toBeInTheDocument();
    const [sent] = api.calls('POST /api/user/:id/reviews/add-review');
    expect(sent?.json).toEqual({
      rentalBooking_id: ids.booking,
      userId: rita.id,
      rental_id: ids.drill,
      rating: 4,
      comment: 'Strong and clean.',
    });
  });

  it('is shown only after the thread above it has loaded', async () => {
    const replies = Promise.withResolvers<void>();
    api.handlers = {
      ...begun,
      'GET /api/replies/:id/my-replies': async () => {
        await replies.promise;
        return { replies: [buildReply(1)], nextCursor: null };
      },
    };
    await openAsRenter();
    await waitFor(() => expect(api.calls('GET /api/replies/:id/my-replies')).toHaveLength(1));
    await waitFor(() => expect(api.calls('GET /api/rentalBookings/get-review')).toHaveLength(1));
    const stars = (options = {}) => screen.findByRole('radio', { name: '4 stars' }, options);
    await expect(stars({ timeout: 300 })).rejects.toThrow('Unable to find');

    replies.resolve();

    expect(await stars()).toBeInTheDocument();
  });

  it('keeps its content after a failed request and a reload', async () => {
    api.handlers = {
      ...begun,
      'POST /api/user/:id/reviews/add-review': () => problem(503, 'UNAVAILABLE', 'Not now.'),
    };
    const { user } = await openAsRenter();
    await user.click(await screen.findByRole('radio', { name: '2 stars' }));
    await user.type(screen.getByLabelText('Your review'), 'Blunt.');
    await user.click(screen.getByRole('button', { name: 'Send a review' }));
    await screen.findByText('Not now.');

    cleanup();
    await openAsRenter();

    expect(await screen.findByLabelText('Your review')).toHaveValue('Blunt.');
    expect(screen.getByRole('radio', { name: '2 stars' })).toBeChecked();
  });

  it('is replaced by a note until the rental starts', async () => {
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    api.handlers = {
      ...begun,
      'GET /api/rentalBookings/:id/details': () => ({ booking: buildBooking({ startsAt }) }),
    };
    await openAsRenter();

    expect(
      await screen.findByText('You can send a review once the rental has started.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel booking' })).toBeInTheDocument();
  });
});
