import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Terms, Tool } from '@lendtools/contracts';
import { weekdays } from '@lendtools/contracts/local-time';
import { screen, waitFor, within } from '@testing-library/react';
import { ids, sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: [], nextCursor: null }),
    'PUT /api/update-rental/:id': () => ({ message: 'Your tool is updated', rental: buildTool() }),
  });
});
afterEach(() => api.stop());

async function edit(terms: Terms | null, changes: Partial<Tool> = {}) {
  api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [buildTool({ terms, ...changes })] });
  const { user } = await renderApp(`/user/my-tool-details?id=${ids.drill}`, { api, user: sam });
  await user.click(await screen.findByRole('button', { name: 'Availability and terms' }));
  await screen.findByRole('group', { name: 'Blocked days' });
  return {
    user,
    save: async () => {
      await user.click(screen.getByRole('button', { name: 'Update tool' }));
      const sent = await waitFor(() => {
        const call = api.calls('PUT /api/update-rental/:id').at(-1);
        expect(call).toBeDefined();
        return call?.text ?? '';
      });
      const [, text] = /name="terms"\s+(\{.*\})\s/.exec(sent) ?? [];
      return text && (JSON.parse(text) as Terms);
    },
  };
}

describe('the form for availability and terms', () => {
  it('blocks days in a calendar, with a note, and unblocks others', async () => {
    const blocked = [{ from: '2099-12-24', to: '2099-12-26', note: 'Family' }];
    const { user, save } = await edit({ blocked });

    expect(screen.getByDisplayValue('Family')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Block days' }));
    await user.click(await screen.findByRole('button', { name: 'Next month' }));
    const days = within(screen.getByRole('table')).getAllByRole('button');
    await user.click(days[9] as HTMLElement);
    await user.click(days[11] as HTMLElement);
    const notes = screen.getAllByPlaceholderText('Note (optional)');
    await user.type(notes[0] as HTMLElement, 'Away');
    await user.click(screen.getByRole('button', { name: /^Unblock .*Dec 26, 2099/ }));

    expect(await save()).toEqual({
      staysListed: true,
      blocked: [
        {
          from: expect.stringMatching(/-10$/),
          to: expect.stringMatching(/-12$/),
          note: 'Away',
        },
      ],
    });
  });

  it('shows the limit once no more ranges can be blocked', async () => {
    const range = { from: '2099-12-24', to: '2099-12-26' };
    await edit({ blocked: Array.from({ length: 100 }, () => range) });

    expect(screen.getByText('At most 100 ranges')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Block days' })).toBeNull();
  });

  it('sets and clears opening hours, rental lengths, notice period, buffer days and discounts', async () => {
    const { user, save } = await edit({ buffer: 2, discounts: [{ days: 7, percent: 5 }] });

    await user.selectOptions(screen.getByLabelText('Sunday'), 'Closed');
    await user.selectOptions(screen.getByLabelText('Monday'), 'From … to …');
    await user.selectOptions(screen.getByLabelText('Monday, to'), '5:30 PM');
    await user.type(screen.getByLabelText('Longest rental'), '14');
    await user.type(screen.getByLabelText('Notice'), '24');
    await user.clear(screen.getByLabelText('Buffer'));
    await user.type(screen.getByLabelText('From 3 days'), '10');
    await user.clear(screen.getByLabelText('From 7 days'));
    await user.click(screen.getByRole('switch', { name: /^Stays listed/ }));

    expect(await save()).toEqual({
      hours: { sunday: null, monday: { from: '08:00', to: '17:30' } },
      longest: 14,
      noticeHours: 24,
      staysListed: false,
      discounts: [{ days: 3, percent: 10 }],
    });
  });

  it.each([
    [
      'Strict',
      /^50% refund until 7 days before the start, then nothing/,
      { staysListed: true, cancellation: 'strict' },
    ],
    ['Free', /^Full refund until the rental starts/, { staysListed: true }],
  ])('sets a cancellation policy, and explains it: %s', async (name, words, sent) => {
    const { user, save } = await edit({ cancellation: 'flexible' });
    const choice = screen.getByLabelText('Cancellation by the renter');
    expect(choice).toHaveAccessibleDescription(/^Full refund until 1 day before the start, then/);

    await user.selectOptions(choice, name);

    expect(choice).toHaveAccessibleDescription(words);
    expect(await save()).toEqual(sent);
  });

  it('does not send unchanged terms', async () => {
    const { save } = await edit({ staysListed: true, longest: 3 });

    expect(await save()).toBeUndefined();
  });

  it('shows the server’s error about the terms', async () => {
    const { user, save } = await edit(null);
    const words = 'Only 100 ranges can be blocked';
    api.handlers['PUT /api/update-rental/:id'] = () => {
      const [status, body] = problem(400, 'VALIDATION_FAILED', words);
      return [status, { ...body, errors: [{ msg: words, path: 'terms.blocked' }] }];
    };

    await user.type(screen.getByLabelText('Longest rental'), '1');
    await save();

    await waitFor(() => expect(screen.getAllByText(words).length).toBeGreaterThan(0));
    expect(screen.getByLabelText('Longest rental')).toBeVisible();
  });

  it.each([
    ['Buffer', '31', '0 to 30', 'The buffer is 0 to 30 days'],
    ['Longest rental', '120', '1 to 90', 'The longest rental is 1 to 90 days'],
    ['From 3 days', '95', '0 to 90', 'A discount is 1 to 90 percent'],
  ])(
    'keeps a number that is too large, and shows the limit: %s',
    async (label, typed, range, words) => {
      const { user } = await edit(null);

      await user.type(screen.getByLabelText(label), typed);

      expect(screen.getByLabelText(label)).toHaveDisplayValue(new RegExp(`^${typed}`));
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(new RegExp(range));
      await user.click(screen.getByRole('button', { name: 'Update tool' }));
      expect(await screen.findByText(words)).toBeVisible();
      expect(api.calls('PUT /api/update-rental/:id')).toEqual([]);
    },
  );

  it('rejects a smaller discount for longer rentals, and a week that is closed every day', async () => {
    const discounts = [{ days: 3 as const, percent: 20 }];
    const days = weekdays.filter((day) => day !== 'sunday').map((day) => [day, null]);
    const { user } = await edit({ discounts, hours: Object.fromEntries(days) });
    const press = () => user.click(screen.getByRole('button', { name: 'Update tool' }));

    await user.type(screen.getByLabelText('From 7 days'), '5');
    await press();
    expect(await screen.findByText(/^A longer rental must not get a smaller/)).toBeVisible();
    await user.clear(screen.getByLabelText('From 7 days'));
    await user.selectOptions(screen.getByLabelText('Sunday'), 'Closed');
    await press();

    expect(await screen.findByText(/^Please leave it open on at least one day/)).toBeVisible();
    expect(api.calls('PUT /api/update-rental/:id')).toEqual([]);
  });

  it('clears the shortest and longest rental when the tool becomes hourly, and shows a message', async () => {
    const { user, save } = await edit({ shortest: 2, longest: 14, buffer: 1, noticeHours: 24 });
    await user.click(screen.getByRole('button', { name: 'Availability and terms' }));

    await user.click(screen.getByRole('combobox', { name: 'Rental circle' }));
    await user.click(await screen.findByRole('option', { name: 'hourly' }));

    expect(
      await screen.findByText(/^The shortest and longest rental and the buffer/),
    ).toBeVisible();
    expect(await screen.findByLabelText('Longest rental')).toHaveValue('');
    expect(screen.getByLabelText('Notice')).toHaveValue('24');
    expect(await save()).toEqual({ staysListed: true, noticeHours: 24 });
  });

  it('keeps the other terms when the tool becomes hourly', async () => {
    const { user, save } = await edit({ staysListed: true, noticeHours: 24 });

    await user.click(screen.getByRole('combobox', { name: 'Rental circle' }));
    await user.click(await screen.findByRole('option', { name: 'hourly' }));

    expect(screen.queryByText(/^The shortest and longest rental/)).toBeNull();
    expect(await save()).toBeUndefined();
  });
});
