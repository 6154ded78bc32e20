import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
let owner: Person;
beforeAll(async () => {
  catalog = await startCatalogForTest();
  owner = await catalog.addOwner();
});
afterAll(() => catalog.stop());

const newUser = async (): Promise<Person> => {
  const id = randomUUID();
  return { id, token: await catalog.accounts.sign({ userId: id }) };
};
const at = (person: Person, path = '') => `/api/user/${person.id}/saved-tools${path}`;
const save = (person: Person, toolId: string) => catalog.http.put(at(person, `/${toolId}`), person);
const unsave = (person: Person, toolId: string) =>
  catalog.http.delete(at(person, `/${toolId}`), person);
const idsOf = async (person: Person): Promise<string[]> =>
  (await catalog.http.get(at(person, '/ids'), person)).body.ids;
const namesOf = async (person: Person): Promise<string[]> =>
  (await catalog.http.get(at(person), person)).body.rentals.map(({ name }: Tool) => name);

describe('the catalog service', () => {
  it('lists the last saved tool first, and each tool only once even if it is saved twice', async () => {
    const person = await newUser();
    const saw = await catalog.addTool(owner, { name: 'Saw' });
    const drill = await catalog.addTool(owner, { name: 'Drill' });

    for (const { id } of [saw, drill, saw]) expect((await save(person, id)).status).toBe(200);

    expect(await namesOf(person)).toEqual(['Drill', 'Saw']);
    expect((await idsOf(person)).sort()).toEqual([saw.id, drill.id].sort());
    expect(await namesOf(await newUser())).toEqual([]);
  });

  it("removes a tool from a user's saved tools, even if the removal is repeated", async () => {
    const person = await newUser();
    const { id } = await catalog.addTool(owner);
    await save(person, id);

    expect([(await unsave(person, id)).status, (await unsave(person, id)).status]).toEqual([
      200, 200,
    ]);

    expect(await idsOf(person)).toEqual([]);
  });

  it('lists saved tools without private fields, and omits removed and hidden tools', async () => {
    const person = await newUser();
    const lender = await catalog.addOwner();
    const [kept, removed] = [await catalog.addTool(lender), await catalog.addTool(lender)];
    for (const { id } of [kept, removed]) await save(person, id);
    await catalog.http.delete(`/api/rentals/delete-tool/${removed.id}`, lender);

    const { body } = await catalog.http.get(at(person), person);
    expect(body.rentals.map(({ id }: Tool) => id)).toEqual([kept.id]);
    const { rowCount } = await catalog.pool.query('SELECT FROM saved_tools WHERE tool_id = $1', [
      removed.id,
    ]);
    expect(rowCount).toBe(0);
    expect(JSON.stringify(body)).not.toContain('12 Alder Street');

    const disabled = { userId: lender.id, disabled: true };
    const event = newEvent('AccountDisabled', { id: lender.id, version: 2 }, disabled);
    await catalog.broker.send(event);
    await catalog.handled('catalog.hide-tools-when-owner-disabled', event);
    expect(await idsOf(person)).toEqual([]);
    expect((await save(person, kept.id)).body.code).toBe('TOOL_NOT_FOUND');
  });

  it("rejects changes to another user's saved tools", async () => {
    const [person, other] = [await newUser(), await newUser()];
    const { id } = await catalog.addTool(owner);

    const { status } = await catalog.http.put(at(person, `/${id}`), { token: other.token });

    expect(status).toBe(403);
    expect(await idsOf(person)).toEqual([]);
  });

  it('saves at most 200 tools per user, even with concurrent requests', async () => {
    const person = await newUser();
    await catalog.pool.query(
      `WITH many AS (
         INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units,
           created_at, listed_at, place)
         SELECT gen_random_uuid(), owner_id, category_id, name, description, price_cents, rental_circle, units,
           created_at, listed_at, place
         FROM (SELECT * FROM tools WHERE owner_id = $2 LIMIT 1) t, generate_series(1, 198) RETURNING id)
       INSERT INTO saved_tools (user_id, tool_id) SELECT $1, id FROM many`,
      [person.id, owner.id],
    );
    const more = await Promise.all([1, 2, 3, 4].map(() => catalog.addTool(owner)));

    const replies = await Promise.all(more.map(({ id }) => save(person, id)));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('TOO_MANY_SAVED_TOOLS');
    expect(await idsOf(person)).toHaveLength(200);
  });

  it('limits how many tools a user saves and unsaves per hour', async () => {
    const limited = await startCatalogForTest({ RATE_LIMIT_FACTOR: '0.01' });
    const lender = await limited.addOwner();
    const { id } = await limited.addTool(lender);
    const path = `/api/user/${lender.id}/saved-tools/${id}`;

    const replies = [];
    for (let i = 0; i < 3; i++)
      replies.push(await limited.http.put(path, lender), await limited.http.delete(path, lender));
    replies.push(await limited.http.put(path, lender), await limited.http.delete(path, lender));
    await limited.stop();

    expect(replies.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429, 429]);
    expect(replies[6]?.body.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(replies[6]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
