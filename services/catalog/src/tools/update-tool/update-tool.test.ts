import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms, Tool } from '@lendtools/contracts';
import { weekdays } from '@lendtools/contracts/local-time';
import { bookingOf } from '../../../test/bookings.ts';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const put = (id: string, body: unknown, person?: Person) =>
  catalog.http.put(`/api/update-rental/${id}`, { token: person?.token, body });

describe('PUT /api/update-rental/:id', () => {
  it('saves the given fields, keeps the others, and publishes the tool', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const categoryId = await catalog.addCategory('Garden');

    const { status, body } = await put(
      tool.id,
      { name: 'Hammer drill', price: 9.99, quantity: 3, categoryId, rental_circle: 'hourly' },
      owner,
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Your tool is updated',
      rental: {
        ...tool,
        name: 'Hammer drill',
        price: 9.99,
        quantity: 3,
        rental_circle: 'hourly',
        categoryId,
        category: { id: categoryId, name: 'Garden' },
        revision: 2,
      },
    });
    const event = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    expect(event.version).toBe(2);
    expect(event.data).toMatchObject({ name: 'Hammer drill', priceCents: 999, units: 3 });
  });

  it('lists an Unavailable tool again, given only the status', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    await catalog.pool.query(`UPDATE tools SET status = 'Unavailable' WHERE id = $1`, [tool.id]);

    const { body } = await put(tool.id, { item_status: 'Available' }, owner);

    expect(body).toEqual({ message: 'Your tool is now available for rent', rental: tool });
  });

  it("reorders a tool's pictures, then replaces some and clears fields", async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    const pictures = { cover_image: await picture('red'), image1: await picture('green') };
    const first = formOf({}, { ...pictures, image2: await picture('blue') });
    const { cover_image, image1, image2 } = (await put(id, first, owner)).body.rental;

    const moved = formOf({ removeImages: 'image2' }, { image3: await picture('white') });
    for (const field of ['image2', 'cover_image', 'image1', 'image3', 'image4']) {
      moved.append('imageOrder', field);
    }
    const { rental } = (await put(id, moved, owner)).body;

    expect(rental).toMatchObject({ cover_image: image2, image1: cover_image, image2: 'null' });
    expect(rental.image3).toMatch(/^\/api\/images\/tools-/);
    expect([cover_image, image1, image2]).not.toContain(rental.image3);
    expect(rental.image4).toBe('null');
  });

  it.each([
    ['a picture twice', ['image1', 'image1', 'image2', 'image3', 'image4']],
    ['four of five', ['cover_image', 'image1', 'image2', 'image3']],
    ['something else', ['password_hash', 'image1', 'image2', 'image3', 'image4']],
  ])('rejects a picture order that names %s', async (_, imageOrder) => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    const { status, body } = await put(tool.id, { imageOrder }, owner);

    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_FAILED');
  });

  it('accepts a multipart form with pictures, and clears the picture fields that it names', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const form = formOf(
      { name: 'With pictures' },
      { cover_image: await picture('red'), image1: await picture('green') },
    );
    const first = await put(tool.id, form, owner);
    const second = formOf({ removeImages: 'image1' }, { image4: await picture('blue') });

    const { body } = await put(tool.id, second, owner);

    expect(first.body.rental.image1).toMatch(/^\/api\/images\/tools-/);
    expect(body.rental).toMatchObject({
      name: 'With pictures',
      cover_image: first.body.rental.cover_image,
      image1: 'null',
      image4: expect.stringMatching(/^\/api\/images\/tools-/),
    });
  });

  it('pauses a tool until it is listed or edited again', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    const paused = await put(tool.id, { item_status: 'Unavailable' }, owner);
    const event = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === tool.id);
    const edited = await put(tool.id, { price: 9 }, owner);
    const pausedAgain = await put(tool.id, { price: 8, item_status: 'Unavailable' }, owner);
    const relisted = await put(tool.id, {}, owner);

    expect(paused.body).toEqual({
      message: 'Your tool is paused until you list it again',
      rental: { ...tool, item_status: 'Unavailable' },
    });
    expect(event.data.status).toBe('Unavailable');
    expect([edited, pausedAgain, relisted].map(({ body }) => body.rental)).toMatchObject([
      { price: 9, item_status: 'Available' },
      { price: 8, item_status: 'Unavailable' },
      { price: 8, item_status: 'Available' },
    ]);
  });

  it('ignores rating, owner and picture paths in the body', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const body = {
      ...tool,
      rating: 5,
      reviewCount: 10,
      userId: randomUUID(),
      user: { id: randomUUID() },
      item_status: 'Available',
      cover_image: 'http://169.254.169.254/latest/meta-data',
      id: randomUUID(),
      version: 99,
      createdAt: '2001-01-01T00:00:00.000Z',
    };

    const reply = await put(tool.id, body, owner);

    expect(reply.body.rental).toEqual(tool);
  });

  it('lets only the owner and admins edit a tool', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const stranger = await catalog.addOwner();

    const replies = [
      await put(tool.id, {}, stranger),
      await put(tool.id, { ...tool, price: 1 }, stranger),
      await put(tool.id, { ...tool, removeImages: ['image1'] }, stranger),
      await put(
        tool.id,
        formOf({ item_status: 'Available' }, { image1: await picture('red') }),
        stranger,
      ),
      await put(tool.id, { price: 1 }),
      await put(tool.id, { description: 'Checked.' }, await catalog.admin()),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 401, 200]);
    expect(await catalog.getTool(tool.id, owner)).toEqual({
      ...tool,
      description: 'Checked.',
      revision: 2,
    });
  });

  it('accepts a renter’s copy of the tool with another status and rating, and ignores both', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const renter = await catalog.addOwner();

    const { status, body } = await put(
      tool.id,
      { ...tool, item_status: 'Unavailable', rating: 1 },
      renter,
    );

    const seen = await catalog.getTool(tool.id, renter);
    expect({ status, rental: body.rental }).toEqual({ status: 200, rental: seen });
    expect(seen).toMatchObject({ item_status: 'Available', rating: 0 });
    expect(catalog.countUpdates(tool.id)).toBe(0);
  });

  it('rejects an unknown tool, an unknown category and invalid fields, and saves nothing', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    const replies = [
      await put(randomUUID(), {}, owner),
      await put(tool.id, { name: 'Other', categoryId: randomUUID() }, owner),
      await put(tool.id, { name: 'Other', price: 'NaN' }, owner),
      await put(tool.id, { name: { $ne: null } }, owner),
      await put(tool.id, { removeImages: 'password' }, owner),
    ];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'TOOL_NOT_FOUND'],
      [404, 'CATEGORY_NOT_FOUND'],
      [400, 'VALIDATION_FAILED'],
      [400, 'VALIDATION_FAILED'],
      [400, 'VALIDATION_FAILED'],
    ]);
    expect(await catalog.getTool(tool.id, owner)).toEqual(tool);
  });
});

const book = async (tool: Tool, booking: ReturnType<typeof bookingOf>): Promise<void> => {
  const event = await catalog.broker.sendNew('BookingCreated', booking);
  await catalog.handled('catalog.update-status-when-booking-changed', event);
  expect((await catalog.getTool(tool.id)).item_status).toBe('Unavailable');
};

describe('PUT /api/update-rental/:id with terms', () => {
  const terms: Terms = {
    blocked: [{ from: '2026-12-24', to: '2026-12-26', note: 'Family' }],
    hours: { sunday: null, monday: { from: '08:00', to: '18:00' } },
    shortest: 2,
    longest: 14,
    noticeHours: 24,
    buffer: 1,
    discounts: [{ days: 7, percent: 10 }],
  };
  const { blocked, ...shown } = terms;

  it('keeps the status of a paused or booked tool when the body has only terms', async () => {
    const owner = await catalog.addOwner();
    const [paused, out] = [await catalog.addTool(owner), await catalog.addTool(owner)];
    await put(paused.id, { item_status: 'Unavailable' }, owner);
    const booking = bookingOf(out);
    await book(out, booking);
    const block = { terms: { blocked } };

    for (const { id } of [paused, out]) {
      const { body } = await put(id, block, owner);
      expect(body).toMatchObject({
        message: 'Your tool is updated',
        rental: { item_status: 'Unavailable', terms: { blocked } },
      });
    }
    const cancelled = await catalog.broker.sendNew('BookingCancelled', booking);
    await catalog.handled('catalog.update-status-when-booking-changed', cancelled);
    expect((await catalog.getTool(paused.id, owner)).item_status).toBe('Unavailable');
    expect((await catalog.getTool(out.id, owner)).item_status).toBe('Available');
  });

  it('makes a booked tool Available when its new terms let it stay listed', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    await book(tool, bookingOf(tool));

    const { body } = await put(tool.id, { terms: { staysListed: true } }, owner);

    expect(body.rental.item_status).toBe('Available');
  });

  it('shows all terms to the owner, hides blocked days from other users, and hides notes from other services', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);

    const { body } = await put(id, { terms }, owner);

    expect(body.rental.terms).toEqual(terms);
    expect((await catalog.getTool(id, await catalog.admin())).terms).toEqual(terms);
    for (const stranger of [undefined, await catalog.addOwner()])
      expect((await catalog.getTool(id, stranger)).terms).toEqual(shown);
    const { data } = await catalog.broker.expectEvent('ToolUpdated', (d) => d.toolId === id);
    expect(data.terms).toEqual({ ...shown, blocked: [{ from: '2026-12-24', to: '2026-12-26' }] });
  });

  it('accepts terms as JSON text in a form, also for a new tool', async () => {
    const owner = await catalog.addOwner();
    const listed = await catalog.addTool(owner, { terms });

    const { body } = await put(listed.id, formOf({ terms: JSON.stringify({ buffer: 2 }) }), owner);

    expect(listed.terms).toEqual(terms);
    expect(body.rental.terms).toEqual({ buffer: 2, blocked });
  });

  it('keeps the terms if the body has none, and removes them if it has null', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner, { terms });

    expect((await put(id, { price: 3 }, owner)).body.rental.terms).toEqual(terms);
    expect((await put(id, { terms: { blocked: [] } }, owner)).body.rental.terms).toEqual({
      blocked: [],
    });
    expect((await put(id, { terms: null }, owner)).body.rental.terms).toBeNull();
  });

  it('accepts unchanged terms from a renter, and rejects changed ones', async () => {
    const { id } = await catalog.addTool(await catalog.addOwner(), { terms });
    const renter = await catalog.addOwner();

    const [same, other] = [
      await put(id, { item_status: 'Unavailable', terms: shown }, renter),
      await put(id, { item_status: 'Unavailable', terms: {} }, renter),
    ];

    expect([same.status, other.status]).toEqual([200, 403]);
  });

  it.each([
    [
      'a range that ends before it begins',
      { blocked: [{ from: '2026-12-24', to: '2026-12-23' }] },
      'terms.blocked[0].to',
    ],
    [
      'a year out of range',
      { blocked: [{ from: '9999-12-30', to: '9999-12-31' }] },
      'terms.blocked[0].from',
    ],
    [
      'hours that end before they begin',
      { hours: { friday: { from: '18:00', to: '08:00' } } },
      'terms.hours.friday.to',
    ],
    ['a maximum length below the minimum', { shortest: 3, longest: 2 }, 'terms.longest'],
    [
      'a discount from an unsupported number of days',
      { discounts: [{ days: 5, percent: 5 }] },
      'terms.discounts[0].days',
    ],
    [
      'one discount twice',
      {
        discounts: [
          { days: 3, percent: 5 },
          { days: 3, percent: 6 },
        ],
      },
      'terms.discounts',
    ],
    [
      'a discount of 100 percent',
      { discounts: [{ days: 3, percent: 100 }] },
      'terms.discounts[0].percent',
    ],
    [
      'a smaller discount for a longer rental',
      {
        discounts: [
          { days: 3, percent: 20 },
          { days: 7, percent: 10 },
        ],
      },
      'terms.discounts',
    ],
    ['hours of an unknown weekday', { hours: { funday: null } }, 'terms.hours'],
    [
      'no open day',
      { hours: Object.fromEntries(weekdays.map((day) => [day, null])) },
      'terms.hours',
    ],
    ['invalid JSON', 'soon', 'terms'],
  ])('rejects terms with %s', async (_name, wrong, path) => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);

    const { status, body } = await put(id, { terms: wrong }, owner);

    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  it('names the weekday that closes before it opens', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    const hours = { friday: { from: '18:00', to: '08:00' } };

    const { body } = await put(id, { terms: { hours } }, owner);

    expect(body.errors[0].msg).toBe('On Fridays it must open before it closes');
  });

  it('rejects terms with a rental length of more than 90 days for a daily tool', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    const send = async (rental_circle: string, wrong: Terms) => {
      const { status, body } = await put(id, { rental_circle, terms: wrong }, owner);
      return [status, body.errors?.[0].path];
    };

    expect(await send('daily', { longest: 91 })).toEqual([400, 'terms.longest']);
    expect(await send('daily', { shortest: 91 })).toEqual([400, 'terms.shortest']);
    expect(await send('daily', { longest: 90 })).toEqual([200, undefined]);
    expect(await send('hourly', { shortest: 91, longest: 2_160 })).toEqual([200, undefined]);
  });

  it('rejects terms with a rental length of more than 90 days for a new tool, which is daily by default', async () => {
    const owner = await catalog.addOwner();

    const { status, body } = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      body: { ...toolFields, categoryId: await catalog.addCategory(), terms: { longest: 91 } },
    });

    expect([status, body.errors[0].path]).toEqual([400, 'terms.longest']);
  });
});
