import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { ids, sam } from '../../../test/bookings.ts';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const category = { id: buildTool().categoryId, name: 'Power tools', image: 'null' };
const saved = { message: 'Your tool is on offer.', rental: buildTool() };

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [category] }),
    'GET /api/user/:id/rentals/my-rentals': () => ({
      rentals: [buildTool({ item_status: 'Unavailable' })],
      nextCursor: null,
    }),
    'GET /api/user/:id/earnings': () => ({
      tools: [{ rental_id: ids.drill, earnedCents: 123_405, toComeCents: 1_999, rentals: 7 }],
      total: { earnedCents: 150_000, toComeCents: 1_999 },
    }),
    'GET /api/user/:id/payout-account': () => ({
      state: 'ready',
      needsInformation: false,
      isInReview: false,
      neededBy: null,
      isHeld: false,
    }),
    'GET /api/get-tool/:id': () => ({ tool: [buildTool()] }),
    'PUT /api/update-rental/:id': () => saved,
    'POST /api/user/:id/add-rental': () => [201, saved],
    'DELETE /api/rentals/delete-tool/:id': () => ({ message: 'Gone' }),
  });
});
afterEach(() => api.stop());

describe('the page with the user’s tools', () => {
  it('lists the tools, and makes an unavailable one available by "Re-list"', async () => {
    const { user } = await renderApp('/user/my-rentals', { api, user: sam });

    const table = within(await screen.findByRole('table', { name: 'Your tools' }));
    expect(table.getByText('Unavailable')).toBeInTheDocument();
    expect(table.queryByRole('button', { name: 'Pause Hammer drill' })).toBeNull();
    await user.click(table.getByRole('button', { name: 'Re-list Hammer drill' }));

    expect(await screen.findByText('Your tool is now available for rent')).toBeInTheDocument();
    expect(api.calls('PUT /api/update-rental/:id')[0]?.json).toEqual({ item_status: 'Available' });
  });

  it('sets a tool’s pick-up place, keeps it when other fields are edited, and removes it', async () => {
    api.handlers['GET /api/places/zips/:zip'] = () => ({
      zip: '97217',
      lat: 45.585,
      lng: -122.7122,
      city: 'Portland',
      state: 'OR',
    });
    const sent = () => api.calls('PUT /api/update-rental/:id').at(-1)?.text ?? '';
    const edit = () => renderApp(`/user/my-tool-details?id=${ids.drill}`, { api, user: sam });
    const { user } = await edit();

    await user.type(await screen.findByLabelText('Pick-up ZIP code'), '97217');
    expect(await screen.findByText('Portland, OR')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Update tool' }));
    await waitFor(() => expect(sent()).toMatch(/name="pickup_zip"\s+97217\s/));
    expect(sent()).toMatch(/name="pickup_lat"\s+45\.585\s/);
    cleanup();

    const pickup = { lat: 45.585, lng: -122.7122, zip: '97217' };
    api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [buildTool({ pickup })] });
    const again = await edit();
    expect(await screen.findByLabelText('Pick-up ZIP code')).toHaveValue('97217');
    await again.user.click(screen.getByRole('button', { name: 'Update tool' }));
    await waitFor(() => expect(api.calls('PUT /api/update-rental/:id')).toHaveLength(2));
    expect(sent()).not.toContain('pickup_');
    cleanup();

    const last = await edit();
    await last.user.click(await screen.findByRole('button', { name: 'Remove' }));
    await last.user.click(screen.getByRole('button', { name: 'Update tool' }));
    await waitFor(() => expect(api.calls('PUT /api/update-rental/:id')).toHaveLength(3));
    expect(sent()).toContain('name="pickup_zip"');
    expect(sent()).not.toContain('pickup_lat');
  });

  it('shows to the cent what each tool has earned, and the total', async () => {
    await renderApp('/user/my-rentals', { api, user: sam });

    const row = await screen.findByRole('row', { name: /Hammer drill/ });
    await waitFor(() => expect(row).toHaveTextContent('Earned$1,234.05$19.99 to come'));
    expect(screen.getByText(/Earned so far/)).toHaveTextContent(
      'Earned so far: $1,500.00, and $19.99 from rentals that have not started.',
    );
    expect(api.calls('GET /api/user/:id/earnings')).toHaveLength(1);
  });

  it('subtracts the commission from what the tools have earned', async () => {
    const sums = {
      earnedCents: 3_400,
      earnedFeeCents: 340,
      toComeCents: 1_005,
      toComeFeeCents: 100,
    };
    api.handlers['GET /api/user/:id/earnings'] = () => ({
      tools: [{ rental_id: ids.drill, ...sums, rentals: 2 }],
      total: sums,
      commission: { percent: 10, fixedCents: 0 },
    });
    await renderApp('/user/my-rentals', { api, user: sam });

    const row = await screen.findByRole('row', { name: /Hammer drill/ });
    await waitFor(() => expect(row).toHaveTextContent('Earned$30.60$9.05 to come'));
    expect(screen.getByText(/Earned so far/)).toHaveTextContent(
      'Earned so far: $34.00 − $3.40 = $30.60, and $10.05 − $1.00 = $9.05 from rentals that have not started. ' +
        'That is what renters paid, minus refunds and our commission.',
    );
  });

  it('lists the tools even if the earnings fail to load', async () => {
    api.handlers['GET /api/user/:id/earnings'] = () => [500, {}];
    await renderApp('/user/my-rentals', { api, user: sam });

    const row = await screen.findByRole('row', { name: /Hammer drill/ });
    await waitFor(() => expect(row).toHaveTextContent('Earned–'));
  });

  it('unlists a tool after a confirmation, and then offers "Re-list" in place of "Pause"', async () => {
    let item_status: Tool['item_status'] = 'Available';
    api.handlers['GET /api/user/:id/rentals/my-rentals'] = () => ({
      rentals: [buildTool({ item_status })],
      nextCursor: null,
    });
    const message = 'Your tool is off offer until you list it again';
    api.handlers['PUT /api/update-rental/:id'] = () => {
      item_status = 'Unavailable';
      return { ...saved, message };
    };
    const { user } = await renderApp('/user/my-rentals', { api, user: sam });

    const pause = await screen.findByRole('button', { name: 'Pause Hammer drill' });
    expect(screen.queryByRole('button', { name: 'Re-list Hammer drill' })).toBeNull();
    await user.click(pause);
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('until you re-list it');
    await user.click(within(dialog).getByRole('button', { name: 'Pause' }));

    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(api.calls('PUT /api/update-rental/:id')[0]?.json).toEqual({
      item_status: 'Unavailable',
    });
    expect(await screen.findByRole('button', { name: 'Re-list Hammer drill' })).toBeVisible();
    expect(pause).not.toBeInTheDocument();
  });

  it('deletes a tool only after a confirmation', async () => {
    const { user } = await renderApp('/user/my-rentals', { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'Delete Hammer drill' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('Are you sure you want to delete this tool?');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));

    expect(await screen.findByText('Tool deleted successfully')).toBeInTheDocument();
    expect(api.calls('DELETE /api/rentals/delete-tool/:id')[0]?.path).toContain(ids.drill);
  });

  it.each<[string, [number, object]]>([
    [
      'This tool has open bookings.',
      problem(409, 'TOOL_HAS_BOOKINGS', 'This tool has open bookings.'),
    ],
    ['Failed to delete tool', [500, {}]],
  ])('shows why a tool can’t be deleted: %s', async (words, answer) => {
    api.handlers['DELETE /api/rentals/delete-tool/:id'] = () => answer;
    const { user } = await renderApp('/user/my-rentals', { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'Delete Hammer drill' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));

    expect(await screen.findByText(words)).toBeInTheDocument();
  });
});

describe('the form for a new tool', () => {
  it('lists a tool with its facts and pictures, and opens the user’s tools', async () => {
    const { user, here } = await renderApp('/user/add-rental', { api, user: sam });

    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Band saw');
    await user.type(screen.getByRole('textbox', { name: 'Description' }), 'Cuts curves in boards.');
    await user.click(screen.getByRole('combobox', { name: 'Category' }));
    await user.click(await screen.findByRole('option', { name: 'Power tools' }));
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '12.5');
    const picture = new File(['picture'], 'saw.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText(/^Cover image/), picture);
    const list = screen.getByRole('button', { name: 'List this tool' });
    // Press three times before React disables the button.
    act(() => {
      for (let press = 0; press < 3; press += 1) list.click();
    });

    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    expect(await screen.findAllByText(saved.message)).toHaveLength(1);
    const [sent, ...more] = api.calls('POST /api/user/:id/add-rental');
    expect(more).toEqual([]);
    for (const part of [
      'Band saw',
      'Cuts curves in boards.',
      'daily',
      '12.5',
      'saw.png',
      category.id,
    ]) {
      expect(sent?.text).toContain(part);
    }
  });

  it('asks an owner who signed up without an address for it, and stores it first', async () => {
    const stored = { ...sam, user_name: 'sam', phone: '+1 503 555 0142', revision: 1 };
    api.handlers['GET /api/get-user-by-email/:email'] = () => ({
      user: { ...stored, state: '', city: '', address: '' },
    });
    api.handlers['GET /api/places/states'] = () => ({ states: [{ code: 'OR', name: 'Oregon' }] });
    api.handlers['GET /api/places/states/:code/cities'] = () => ({
      cities: [{ name: 'Portland' }],
    });
    api.handlers['PUT /api/update-account/:id'] = () => ({ message: 'Saved', user: stored });
    const { user, here } = await renderApp('/user/add-rental', { api, user: sam });
    const address = await screen.findByRole('textbox', { name: 'Address' });
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Band saw');
    await user.type(screen.getByRole('textbox', { name: 'Description' }), 'Cuts curves in boards.');
    await user.click(screen.getByRole('combobox', { name: 'Category' }));
    await user.click(await screen.findByRole('option', { name: 'Power tools' }));
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '12.5');
    const picture = new File(['picture'], 'saw.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText(/^Cover image/), picture);

    await user.click(screen.getByRole('button', { name: 'List this tool' }));
    expect(await screen.findByText('Please enter your address')).toBeVisible();
    expect(api.calls('POST /api/user/:id/add-rental')).toEqual([]);
    await user.type(address, '88 Birch Avenue');
    await user.click(screen.getByRole('combobox', { name: 'State' }));
    await user.click(await screen.findByRole('option', { name: 'Oregon' }));
    await user.click(screen.getByRole('combobox', { name: 'City' }));
    await user.click(await screen.findByRole('option', { name: 'Portland' }));
    await user.click(screen.getByRole('button', { name: 'List this tool' }));

    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    const sent = api.calls('PUT /api/update-account/:id')[0]?.text;
    for (const part of ['Oregon', 'Portland', '88 Birch Avenue']) expect(sent).toContain(part);
  });

  it('names the missing fields before anything is sent', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'List this tool' }));

    expect(await screen.findByText('Please enter a name')).toBeInTheDocument();
    expect(screen.getByText('Please enter a price in dollars')).toBeInTheDocument();
    expect(screen.getByLabelText(/^Cover image/)).toHaveAccessibleDescription(
      'Please choose a cover image',
    );
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    expect(api.calls('POST /api/user/:id/add-rental')).toEqual([]);
  });
});

describe('the help in the form of a tool', () => {
  const range = {
    basis: 'kind',
    tools: 6,
    lowCents: 1_400,
    medianCents: 1_800,
    highCents: 2_600,
    withinMiles: 25,
  };
  const edit = `/user/my-tool-details?id=${ids.drill}`;

  it('shows what similar tools nearby cost, and takes over the middle price', async () => {
    api.handlers['GET /api/user/:id/price-range'] = () => ({ priceRange: range });
    const { user } = await renderApp(edit, { api, user: sam });

    expect(
      await screen.findByText(
        'Of 6 similar tools within 25 miles, half cost $14.00 to $26.00 for each day.',
      ),
    ).toBeVisible();
    const [request] = api.calls('GET /api/user/:id/price-range');
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
      category: category.id,
      rental_circle: 'daily',
      name: 'Hammer drill',
    });
    await user.click(screen.getByRole('button', { name: 'Use $18.00' }));
    expect(screen.getByRole('textbox', { name: 'Price' })).toHaveValue('$18.00');
    expect(screen.queryByRole('button', { name: 'Use $18.00' })).toBeNull();
  });

  it('shows no prices if too few tools are near', async () => {
    api.handlers['GET /api/user/:id/price-range'] = () => ({ priceRange: null });
    await renderApp(edit, { api, user: sam });

    await waitFor(() => expect(api.calls('GET /api/user/:id/price-range')).toHaveLength(1));
    expect(screen.queryByText(/similar tools/)).toBeNull();
  });

  it('previews the card as the owner types', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Band saw');
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '12.5');

    const preview = within(screen.getByRole('region', { name: 'As renters see it' }));
    expect(preview.getByText('Band saw')).toBeInTheDocument();
    expect(preview.getByText('$12.50')).toBeInTheDocument();
  });

  it('asks for a longer description, but keeps a short one that is stored', async () => {
    api.handlers['GET /api/get-tool/:id'] = () => ({
      tool: [buildTool({ description: 'Sharp.' })],
    });
    const { user, here } = await renderApp(edit, { api, user: sam });
    const description = await screen.findByRole('textbox', { name: 'Description' });
    await user.type(description, ' Very.');
    await user.click(screen.getByRole('button', { name: 'Update tool' }));
    expect(await screen.findByText('Please describe it in at least 20 characters')).toBeVisible();

    await user.clear(description);
    await user.type(description, 'Sharp.');
    await user.click(screen.getByRole('button', { name: 'Update tool' }));
    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
  });

  it('asks for a larger cover', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    const small = new File(['pixels'], 'saw.png', { type: 'image/png' });
    await user.upload(await screen.findByLabelText(/^Cover image/), small);
    const preview = document.querySelector('img[src="blob:preview"]') as Element;
    Object.defineProperties(preview, {
      naturalWidth: { value: 639 },
      naturalHeight: { value: 480 },
    });
    fireEvent.load(preview);

    expect(await screen.findByText(/^This picture is small\./)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove cover image' })).toBeVisible();
  });
});

describe('the form of a tool', () => {
  function withCommission(commission: unknown): void {
    const total = { earnedCents: 0, toComeCents: 0 };
    api.handlers['GET /api/user/:id/earnings'] = () => ({ tools: [], total, commission });
  }

  it.each([
    [{ percent: 10, fixedCents: 0 }, '$34.00 − $3.40 = $30.60', '10%'],
    [{ percent: 7.5, fixedCents: 30 }, '$34.00 − $2.85 = $31.15', '7.5% and $0.30'],
    [{ percent: 0, fixedCents: 50 }, '$34.00 − $0.50 = $33.50', '$0.50'],
  ])('shows what a rental earns at a commission of %j', async (terms, sum, kept) => {
    withCommission(terms);
    const { user } = await renderApp('/user/add-rental', { api, user: sam });

    await user.type(await screen.findByRole('textbox', { name: 'Price' }), '34');

    const words = `LendTools keeps ${kept} of each rental.`;
    expect(await screen.findByText(`You earn ${sum} for one day. ${words}`)).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Rental circle' }));
    await user.click(await screen.findByRole('option', { name: 'hourly' }));
    expect(await screen.findByText(`You earn ${sum} for one hour. ${words}`)).toBeVisible();
  });

  it.each([{ percent: 0, fixedCents: 0 }, null, undefined])(
    'does not mention a commission of %j',
    async (commission) => {
      withCommission(commission);
      const { user } = await renderApp('/user/add-rental', { api, user: sam });

      await user.type(await screen.findByRole('textbox', { name: 'Price' }), '34');
      await waitFor(() => expect(api.calls('GET /api/user/:id/earnings')).toHaveLength(1));

      expect(screen.queryByText(/LendTools keeps/)).toBeNull();
    },
  );

  it('formats a typed price in dollars and cents', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });

    const price = await screen.findByRole('textbox', { name: 'Price' });
    await user.type(price, '12.5');
    await user.tab();

    expect(price).toHaveValue('$12.50');
  });

  it('replaces the old price when the user types into the focused field', async () => {
    const { user } = await renderApp(`/user/my-tool-details?id=${ids.drill}`, { api, user: sam });
    const price = await screen.findByRole('textbox', { name: 'Price' });
    await waitFor(() => expect(price).toHaveValue('$12.00'));

    await user.click(screen.getByRole('combobox', { name: 'Rental circle' }));
    await user.tab();
    expect(price).toHaveFocus();
    await user.keyboard('19.5');
    await user.tab();
    expect(price).toHaveValue('$19.50');

    await user.click(price);
    await user.keyboard('18');
    await user.click(screen.getByRole('textbox', { name: 'Quantity' }));
    expect(price).toHaveValue('$18.00');
  });

  it('parses a pasted price, and rejects one it can’t read', async () => {
    const { user } = await renderApp(`/user/my-tool-details?id=${ids.drill}`, { api, user: sam });
    const price = await screen.findByRole('textbox', { name: 'Price' });
    await waitFor(() => expect(price).toHaveValue('$12.00'));

    await user.click(price);
    await user.paste('US$ 1,250.5 a day');
    await user.tab();
    expect(price).toHaveValue('$1,250.50');

    await user.click(price);
    await user.paste('a crate of beer');
    await user.click(screen.getByRole('button', { name: 'Update tool' }));
    expect(await screen.findByText('Please enter a price in dollars')).toBeInTheDocument();
    expect(price).toHaveValue('a crate of beer');
    expect(api.calls('PUT /api/update-rental/:id')).toEqual([]);

    await user.click(price);
    await user.keyboard('250000');
    await user.click(screen.getByRole('button', { name: 'Update tool' }));
    expect(await screen.findByText('The price can be at most $100,000')).toBeInTheDocument();
  });

  it('rejects a file that only claims to be an image', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });

    const fake = new File(['words'], 'saw.png', { type: 'image/png' });
    await user.upload(await screen.findByLabelText(/^Cover image/), fake);
    const preview = document.querySelector('img[src="blob:preview"]');
    fireEvent.error(preview as Element);

    expect(await screen.findByText('Please choose an image file')).toBeInTheDocument();
    expect(document.querySelector('img[src="blob:preview"]')).toBeNull();
  });

  it('shows what is wrong with an empty file, and with a very long and narrow picture', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    const cover = await screen.findByLabelText(/^Cover image/);

    await user.upload(cover, new File([], 'saw.png', { type: 'image/png' }));
    expect(await screen.findByText(/^This file is empty\./)).toBeInTheDocument();

    await user.upload(cover, new File(['pixels'], 'saw.png', { type: 'image/png' }));
    const preview = document.querySelector('img[src="blob:preview"]') as Element;
    Object.defineProperties(preview, { naturalWidth: { value: 1 }, naturalHeight: { value: 20 } });
    fireEvent.load(preview);
    expect(await screen.findByText(/at most ten times its short one/)).toBeInTheDocument();
    expect(document.querySelector('img[src="blob:preview"]')).toBeNull();
  });

  it('explains why there is no category to choose, and offers an admin to add one', async () => {
    api.handlers['GET /api/all-rental-categories'] = () => ({ allCategories: [] });
    await renderApp('/user/add-rental', { api, user: { ...sam, role: 'Admin' } });

    expect(await screen.findByText('There are no categories yet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Add the first category' })).toHaveAttribute(
      'href',
      '/admin/add-rental-category',
    );
  });
});

describe('a tool’s form with a draft', () => {
  const typeName = async (address: string, name: string) => {
    const { user } = await renderApp(address, { api, user: sam });
    const field = await screen.findByRole('textbox', { name: 'Name' });
    await user.clear(field);
    await user.type(field, name);
    cleanup();
  };

  it('keeps the draft over a reload, until it is discarded', async () => {
    await typeName('/user/add-rental', 'Band saw');

    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    const name = await screen.findByRole('textbox', { name: 'Name' });
    expect(name).toHaveValue('Band saw');
    await user.click(screen.getByRole('button', { name: 'Discard draft' }));

    expect(name).toHaveValue('');
    expect(screen.queryByRole('button', { name: 'Discard draft' })).not.toBeInTheDocument();
    cleanup();
    await renderApp('/user/add-rental', { api, user: sam });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('');
  });

  it('keeps the draft’s pick-up place over a reload', async () => {
    api.handlers['GET /api/places/zips/:zip'] = () => ({
      zip: '97217',
      lat: 45.585,
      lng: -122.7122,
      city: 'Portland',
      state: 'OR',
    });
    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    await user.type(await screen.findByLabelText('Pick-up ZIP code'), '97217');
    expect(await screen.findByText('Portland, OR')).toBeVisible();
    cleanup();

    await renderApp('/user/add-rental', { api, user: sam });

    expect(await screen.findByLabelText('Pick-up ZIP code')).toHaveValue('97217');
  });

  it('hides the draft from other users, and stores only edited fields', async () => {
    const address = `/user/my-tool-details?id=${ids.drill}`;
    await typeName(address, 'Big drill');
    api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [buildTool({ price: 15 })] });

    await renderApp(address, { api, user: sam });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Big drill');
    expect(screen.getByRole('textbox', { name: 'Price' })).toHaveValue('$15.00');

    cleanup();
    await renderApp(address, { api, user: { ...sam, id: ids.saw } });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Hammer drill');
  });

  it('keeps the draft’s pictures after the user followed a link and returned', async () => {
    const { user, router } = await renderApp('/user/add-rental', { api, user: sam });
    const saw = new File(['pixels'], 'saw.png', { type: 'image/png' });
    await user.upload(await screen.findByLabelText(/^Cover image/), saw);

    await user.click(screen.getAllByRole('link', { name: 'My Tools' })[0] as Element);
    await screen.findByRole('heading', { name: 'My Tools' });
    await act(() => router.navigate(-1));

    expect(await screen.findByRole('button', { name: 'Remove cover image' })).toBeInTheDocument();
    expect(screen.getByText('What you entered here before is still here.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard draft' }));
    expect(screen.queryByRole('button', { name: 'Remove cover image' })).toBeNull();
  });

  it('deletes the draft once the tool is saved', async () => {
    const address = `/user/my-tool-details?id=${ids.drill}`;
    await typeName(address, 'Big drill');
    const { user, here } = await renderApp(address, { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'Update tool' }));

    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    expect(Object.keys(sessionStorage).filter((key) => key.includes('form:'))).toEqual([]);
  });
});

describe('the picture field of a tool', () => {
  const address = `/user/my-tool-details?id=${ids.drill}`;
  const button = (name: string) => screen.getByRole('button', { name });

  it('moves pictures by buttons, and the focus follows', async () => {
    const { user, here } = await renderApp(address, { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'Move cover image later' }));
    expect(button('Move image 1 earlier')).toHaveFocus();
    expect(button('Move image 1 later')).toBeDisabled();
    expect(screen.getByText('It is image 1 now.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Update tool' }));

    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    const [sent] = api.calls('PUT /api/update-rental/:id');
    const order = [...(sent?.text.matchAll(/name="imageOrder"\s+(\w+)/g) ?? [])];
    expect(order.map(([, name]) => name)).toEqual([
      'image1',
      'cover_image',
      'image2',
      'image3',
      'image4',
    ]);
  });

  it('moves pictures by dragging', async () => {
    await renderApp(address, { api, user: sam });
    await screen.findByRole('button', { name: 'Move cover image later' });
    const [handle, other] = screen.getAllByTitle('Drag to another place');
    Object.assign(Element.prototype, { setPointerCapture: () => {} });
    Object.assign(document, { elementFromPoint: () => other });
    const stored = () =>
      [...document.querySelectorAll('[data-index] img')].map((one) => one.getAttribute('src'));
    const [cover, first] = stored();

    fireEvent.pointerDown(handle as Element, { button: 0 });
    fireEvent.pointerMove(handle as Element);
    fireEvent.pointerUp(handle as Element);

    expect(stored()).toEqual([first, cover]);
  });

  it('requires a new cover picture if the old one is removed', async () => {
    const { user } = await renderApp(address, { api, user: sam });

    await user.click(await screen.findByRole('button', { name: 'Remove cover image' }));
    await user.click(screen.getByRole('button', { name: 'Update tool' }));

    expect(await screen.findByText('Please choose a cover image')).toBeInTheDocument();
    expect(api.calls('PUT /api/update-rental/:id')).toEqual([]);
  });

  it('shows an error if the browser can’t read a picture', async () => {
    const { user } = await renderApp('/user/add-rental', { api, user: sam });
    Object.assign(globalThis, { createImageBitmap: () => Promise.reject(new Error('unreadable')) });

    const photo = new File(['x'], 'IMG_1.heic', { type: 'image/heic' });
    await user.upload(await screen.findByLabelText(/^Cover image/), photo);

    expect(await screen.findByText(/This browser can’t read HEIC photos/)).toBeInTheDocument();
    Reflect.deleteProperty(globalThis, 'createImageBitmap');
  });
});

describe('changing a tool', () => {
  it('sends only the edited fields, and names the removed pictures', async () => {
    const { user, here } = await renderApp(`/user/my-tool-details?id=${ids.drill}`, {
      api,
      user: sam,
    });

    await user.clear(await screen.findByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Big drill');
    await user.click(screen.getByRole('button', { name: 'Remove image 1' }));
    await user.click(screen.getByRole('button', { name: 'Update tool' }));

    await waitFor(() => expect(here()).toBe('/user/my-rentals'));
    const [sent] = api.calls('PUT /api/update-rental/:id');
    expect(sent?.text).toContain('Big drill');
    expect(sent?.text).toMatch(/name="removeImages"\s+image1/);
  });
});
