import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { bookingOf } from '../../../test/bookings.ts';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest();
});
afterAll(() => catalog.stop());

const read = async (id: string, { token }: Partial<Person>): Promise<Tool> =>
  (await catalog.http.get(`/api/get-tool/${id}`, { token })).body.tool[0];

const put = (id: string, body: unknown, { token }: Person, ifMatch?: string) =>
  catalog.http.put(`/api/update-rental/${id}`, {
    token,
    body,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });

const tagOf = ({ revision }: Tool) => `"${revision}"`;

describe('PUT /api/update-rental/:id with If-Match', () => {
  it('rejects an edit of a tool that was edited in the meantime, and keeps the tool', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    const opened = await read(id, owner);
    const terms = { blocked: [{ from: '2030-01-01', to: '2030-01-02' }] };
    await put(id, { terms }, owner);

    const stale = await put(id, { name: 'Old form', terms: {} }, owner, tagOf(opened));

    expect(stale).toMatchObject({
      status: 412,
      body: { code: 'EDITED_ELSEWHERE', status: 412, errors: [{ path: '' }] },
    });
    const now = await read(id, owner);
    expect(now).toMatchObject({ name: opened.name, terms });
    expect((await put(id, { name: 'New form' }, owner, tagOf(now))).status).toBe(200);
  });

  it('accepts one of several concurrent edits of the same revision', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);
    const tag = tagOf(await read(id, owner));

    const replies = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => put(id, { name }, owner, tag)),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  it('rejects a revision from before an edit of the pick-up place or a picture, but accepts a revision from before a booking', async () => {
    const owner = await catalog.addOwner();
    const tool = await catalog.addTool(owner);
    const { id } = tool;
    const opened = await read(id, owner);
    await catalog.broker.sendNew('BookingCreated', bookingOf(tool));
    const booked = await waitFor('the tool to be booked', async () => {
      const now = await read(id, owner);
      return now.item_status === 'Unavailable' && now;
    });

    const relisted = await put(id, { item_status: 'Available' }, owner, tagOf(opened));
    const moved = await put(id, { pickup_lat: 45.52, pickup_lng: -122.66 }, owner);

    expect(booked.revision).toBe(opened.revision);
    expect(relisted.status).toBe(200);
    expect(moved.body.rental.revision).toBeGreaterThan(opened.revision as number);
  });

  it('saves an edit without If-Match, with `*`, or with a list that contains the tool’s tag', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);

    expect((await put(id, { name: 'Saw' }, owner)).status).toBe(200);
    for (const ifMatch of ['*', `"0", ${tagOf(await read(id, owner))}`])
      expect((await put(id, { name: 'Saw' }, owner, ifMatch)).status).toBe(200);
    for (const ifMatch of ['"0"', 'W/"1"', 'nonsense'])
      expect((await put(id, { name: 'Saw' }, owner, ifMatch)).status).toBe(412);
  });

  it('shows a tool’s revision to the owner and admins only', async () => {
    const owner = await catalog.addOwner();
    const { id } = await catalog.addTool(owner);

    expect(await read(id, owner)).toHaveProperty('revision', 1);
    expect(await read(id, {})).not.toHaveProperty('revision');
    expect(await read(id, await catalog.addOwner())).not.toHaveProperty('revision');
  });
});
