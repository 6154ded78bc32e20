import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  formOf,
  picture,
  profileOf,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

describe('POST /api/user/:userId/add-rental', () => {
  it('lists an Available tool with its pictures and publishes it', async () => {
    const owner = await catalog.addOwner();
    const categoryId = await catalog.addCategory('Power tools');
    const body = formOf(
      { ...toolFields, categoryId, rental_circle: 'daily', item_status: 'Available' },
      { cover_image: await picture('red'), image2: await picture('blue') },
    );

    const reply = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      body,
    });

    expect(reply.status).toBe(201);
    expect(reply.body.message).toBe('Your tool is now listed for rent');
    const { rental } = reply.body;
    expect(rental).toEqual({
      id: expect.any(String),
      ...toolFields,
      rental_circle: 'daily',
      item_status: 'Available',
      rating: 0,
      reviewCount: 0,
      quantity: 1,
      categoryId,
      category: { id: categoryId, name: 'Power tools' },
      userId: owner.id,
      user: {
        id: owner.id,
        first_name: 'Sam',
        last_name: 'Rivera',
        country: 'United States',
        state: 'Oregon',
        city: 'Portland',
        address: '12 Alder Street',
        emailVerified: false,
      },
      cover_image: expect.stringMatching(/^\/api\/images\/tools-[0-9a-f]{32}-640\.webp$/),
      image: rental.cover_image,
      image1: 'null',
      image2: expect.stringMatching(/^\/api\/images\/tools-/),
      image3: 'null',
      image4: 'null',
      timeZone: 'America/Los_Angeles',
      terms: null,
      revision: 1,
      placeAccuracy: 'city',
      pickup: null,
      position: { lat: 45.5175, lng: -122.6753 },
      distance: null,
      createdAt: expect.any(String),
    });
    const event = await catalog.broker.expectEvent('ToolListed', (d) => d.toolId === rental.id);
    expect(event).toMatchObject({ aggregateId: rental.id, version: 1 });
    expect(event.data).toEqual({
      toolId: rental.id,
      ownerId: owner.id,
      categoryId,
      name: 'Cordless drill',
      description: toolFields.description,
      priceCents: 1250,
      rentalCircle: 'daily',
      status: 'Available',
      units: 1,
      timeZone: 'America/Los_Angeles',
      coverImage: rental.cover_image,
      ownerDisabled: false,
      terms: null,
    });
  });

  it("waits for the owner's AccountRegistered event if it has not arrived yet", async () => {
    const profile = profileOf();
    const token = await catalog.accounts.sign({ userId: profile.userId });
    const categoryId = await catalog.addCategory();

    const adding = catalog.http.post(`/api/user/${profile.userId}/add-rental`, {
      token,
      body: { ...toolFields, categoryId },
    });
    await catalog.broker.sendNew('AccountRegistered', profile);

    expect((await adding).status).toBe(201);
  });

  it("replies 409 if the owner's AccountRegistered event does not arrive", async () => {
    const userId = randomUUID();
    const token = await catalog.accounts.sign({ userId });
    const body = { ...toolFields, categoryId: await catalog.addCategory() };

    const reply = await catalog.http.post(`/api/user/${userId}/add-rental`, { token, body });

    expect(reply).toMatchObject({ status: 409, body: { code: 'OWNER_UNKNOWN' } });
    expect(reply.body.message).toMatch(/still setting up your account/);
  });

  it('lists the tool of an owner whose address arrives late', async () => {
    const owner = await catalog.addOwner({ state: '', city: '', address: '' });
    const categoryId = await catalog.addCategory();

    const adding = catalog.http.post(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      body: { ...toolFields, categoryId },
    });
    await catalog.broker.sendNew('AccountUpdated', profileOf({ userId: owner.id }), {
      id: owner.id,
      version: 2,
    });

    expect((await adding).body.rental.user).toMatchObject({ city: 'Portland' });
  });

  it('replies 409 to an owner without an address', async () => {
    const owner = await catalog.addOwner({ state: '', city: '', address: '' });
    const body = { ...toolFields, categoryId: await catalog.addCategory() };

    const reply = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      body,
    });

    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'ADDRESS_MISSING', errors: [{ path: 'address' }] },
    });
  });

  it('creates one tool and replays the reply when the Idempotency-Key is repeated', async () => {
    const owner = await catalog.addOwner();
    const ask = {
      token: owner.token,
      headers: { 'idempotency-key': randomUUID() },
      body: { ...toolFields, categoryId: await catalog.addCategory() },
    };
    const path = `/api/user/${owner.id}/add-rental`;

    const [first, second] = await Promise.all([
      catalog.http.post(path, ask),
      catalog.http.post(path, ask),
    ]);

    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    const mine = await catalog.http.get(`/api/user/${owner.id}/rentals/my-rentals`, {
      token: owner.token,
    });
    expect(mine.body.rentals).toHaveLength(1);
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a negative price', { price: -1 }, 'price'],
    ['a price that is not a number', { price: 'abc' }, 'price'],
    ['half a cent', { price: 1.005 }, 'price'],
    ['an unknown rental circle', { rental_circle: 'weekly' }, 'rental_circle'],
    ['no unit', { quantity: 0 }, 'quantity'],
    ['a category that is not an id', { categoryId: { $ne: null } }, 'categoryId'],
  ])('rejects %s and names the field', async (_what, fields, path) => {
    const owner = { id: randomUUID() };
    const token = await catalog.accounts.sign({ userId: owner.id });
    const body = { ...toolFields, categoryId: randomUUID(), ...fields };

    const reply = await catalog.http.post(`/api/user/${owner.id}/add-rental`, { token, body });

    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(reply.body.errors[0].path).toBe(path);
  });

  it('rejects an unknown category, a visitor, and another user', async () => {
    const owner = await catalog.addOwner();
    const path = `/api/user/${owner.id}/add-rental`;
    const body = { ...toolFields, categoryId: randomUUID() };
    const stranger = await catalog.accounts.sign();

    const unknown = await catalog.http.post(path, { token: owner.token, body });
    const visitor = await catalog.http.post(path, { body });
    const other = await catalog.http.post(path, { token: stranger, body });

    expect(unknown).toMatchObject({ status: 404, body: { code: 'CATEGORY_NOT_FOUND' } });
    expect([visitor.status, other.status]).toEqual([401, 403]);
  });

  it('ignores rating, owner and status in the body', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner, {
      rating: 5,
      reviewCount: 9,
      userId: randomUUID(),
      item_status: 'Unavailable',
      id: randomUUID(),
    });

    expect(tool).toMatchObject({
      rating: 0,
      reviewCount: 0,
      userId: owner.id,
      item_status: 'Available',
    });
  });
});

describe('POST /api/user/:userId/add-rental with REQUIRE_VERIFIED_EMAIL', () => {
  it('lists tools only for owners with a verified email', async () => {
    const strict = await startCatalogForTest({ REQUIRE_VERIFIED_EMAIL: 'true' });
    const owner = await strict.addOwner();
    const categoryId = await strict.addCategory();
    const add = () =>
      strict.http.post(`/api/user/${owner.id}/add-rental`, {
        token: owner.token,
        body: { ...toolFields, categoryId },
      });

    const rejected = await add();
    const verified = { id: owner.id, version: 2 };
    const update = newEvent(
      'AccountUpdated',
      verified,
      profileOf({ userId: owner.id, emailVerified: true }),
    );
    const handled = strict.handled('catalog.sync-owners', update);
    await strict.broker.send(update);
    await handled;
    const listed = await add();
    const tool = await strict.getTool(listed.body.rental.id);
    await strict.stop();

    expect(rejected).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
    expect(listed.status).toBe(201);
    expect(tool.user.emailVerified).toBe(true);
  });
});
