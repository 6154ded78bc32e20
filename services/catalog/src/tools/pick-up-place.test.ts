import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { milesBetween, roundPlace, type Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  formOf,
  type Person,
  profileOf,
  startCatalogForTest,
  toolFields,
} from '../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const shed = { pickup_lat: 45.587654, pickup_lng: -122.712345 };
const square = roundPlace({ lat: shed.pickup_lat, lng: shed.pickup_lng });

const put = (tool: Tool, owner: Person, body: unknown) =>
  catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body });

const near = async (tool: Tool, lat: number, lng: number): Promise<Tool | undefined> => {
  const { body } = await catalog.http.get(
    `/api/get-tools-near-you?radius=50&category=${tool.categoryId}&lat=${lat}&lng=${lng}`,
  );
  return body.nearby[0];
};

const move = async (owner: Person, version: number, changes: object): Promise<void> => {
  const profile = profileOf({ userId: owner.id, ...changes });
  const event = newEvent('AccountUpdated', { id: owner.id, version }, profile);
  await catalog.broker.send(event);
  await catalog.handled('catalog.sync-owners', event);
};

describe("a tool's pick-up place", () => {
  it("is in the owner's city if the owner has given no exact place", async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    expect(await near(tool, 45.52, -122.68)).toMatchObject({ placeAccuracy: 'city', distance: 0 });
  });

  it("is at the owner's exact place if the owner has given one", async () => {
    const owner = await catalog.addOwner({ placeAccuracy: 'area' });
    const tool = await catalog.addTool(owner);

    expect(tool).toMatchObject({ placeAccuracy: 'area', pickup: null });
    await move(owner, 2, {});
    expect(await catalog.getTool(tool.id)).toMatchObject({ placeAccuracy: 'city' });
  });

  it('is rounded before it is stored, and shown to its owner only', async () => {
    const owner = await catalog.addOwner();
    const categoryId = await catalog.addCategory();
    const body = formOf({ ...toolFields, categoryId, ...shed, pickup_zip: '97217' });
    const added = await catalog.http.post(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      body,
    });

    const tool: Tool = added.body.rental;
    expect(tool).toMatchObject({ placeAccuracy: 'area', pickup: { ...square, zip: '97217' } });
    expect(await catalog.getTool(tool.id)).toMatchObject({ placeAccuracy: 'area', pickup: null });
    const { rows } = await catalog.pool.query(
      `SELECT pickup_lat AS lat, pickup_lng AS lng, latitude(place), longitude(place)
       FROM tools WHERE id = $1`,
      [tool.id],
    );
    expect(rows[0]).toMatchObject(square);
    expect(rows[0].latitude).toBeCloseTo(square.lat, 6);
    expect(rows[0].longitude).toBeCloseTo(square.lng, 6);
    const from = { lat: 45.52, lng: -122.68 };
    const found = await near(tool, from.lat, from.lng);
    expect(found?.distance).toBeCloseTo(milesBetween(from, square), 1);
  });

  it('has the same distance from any point as every other pick-up place in its half-mile square', async () => {
    const owner = await catalog.addOwner();
    const one = await catalog.addTool(owner, shed);
    const other = await catalog.addTool(owner, {
      pickup_lat: square.lat + 0.003,
      pickup_lng: square.lng - 0.003,
    });

    for (const [lat, lng] of [
      [45.5, -122.6],
      [45.6, -122.7],
      [square.lat, square.lng],
    ] as const) {
      const distances = [await near(one, lat, lng), await near(other, lat, lng)];
      expect(distances[0]?.distance).toBe(distances[1]?.distance);
    }
  });

  it('can be changed and removed by the owner', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);

    const set = await put(tool, owner, { ...shed, pickup_zip: '97217' });
    const kept = await put(tool, owner, { name: 'Other' });
    const back = await put(tool, owner, { pickup_zip: '' });

    expect(set.body).toMatchObject({
      message: 'Your tool is updated',
      rental: { pickup: { ...square, zip: '97217' } },
    });
    expect(kept.body.rental.pickup).toEqual({ ...square, zip: '97217' });
    expect(back.body.rental).toMatchObject({ pickup: null, placeAccuracy: 'city' });
    expect(await near(tool, 45.52, -122.68)).toMatchObject({ distance: 0 });
  });

  it('is kept when the owner moves within the area, and dropped when the owner moves away', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner, shed);

    await move(owner, 2, { lat: 45.45, lng: -122.6 });
    expect((await catalog.getTool(tool.id, owner)).pickup).toMatchObject(square);
    // A trigger keeps the tool at its pick-up place, even if SQL sets another place.
    await catalog.pool.query('UPDATE tools SET place = ll_to_earth(39, -104) WHERE id = $1', [
      tool.id,
    ]);
    expect(await near(tool, square.lat, square.lng)).toMatchObject({ distance: 0 });

    await move(owner, 3, { city: 'Denver', state: 'Colorado', lat: 39.74, lng: -104.99 });
    expect(await catalog.getTool(tool.id, owner)).toMatchObject({
      pickup: null,
      placeAccuracy: 'city',
    });
    expect(await near(tool, 39.74, -104.99)).toMatchObject({ distance: 0 });
  });

  it("cannot be far from the owner's city, nor be set by another user", async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const stranger = await catalog.addOwner();

    const far = await put(tool, owner, { pickup_lat: 39.74, pickup_lng: -104.99 });
    const evil = await put(tool, stranger, { item_status: 'Available', ...shed });
    const wrong = await put(tool, owner, { pickup_lat: 91, pickup_lng: 0 });

    expect(far).toMatchObject({ status: 400, body: { code: 'PLACE_TOO_FAR' } });
    expect(evil.status).toBe(403);
    expect(wrong.body.errors[0].path).toBe('pickup_lat');
  });
});
