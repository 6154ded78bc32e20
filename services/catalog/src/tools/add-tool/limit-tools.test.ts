import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import {
  type CatalogService,
  formOf,
  type Person,
  picture,
  startCatalogForTest,
  toolFields,
} from '../../../test/catalog-service.ts';

let catalog: CatalogService;
let categoryId: string;
beforeAll(async () => {
  // The factor 0.01 allows three tools, three listings a day, three edits an hour and five megabytes a day.
  catalog = await startCatalogForTest({ RATE_LIMIT_FACTOR: '0.01' });
  categoryId = await catalog.addCategory();
});
afterAll(() => catalog.stop());

const list = ({ id, token }: Person, files: Record<string, Buffer> = {}) =>
  catalog.http.post(`/api/user/${id}/add-rental`, {
    token,
    body: formOf({ ...toolFields, categoryId }, files),
  });

describe('the catalog service', () => {
  it("limits the number of an owner's tools, even with concurrent requests", async () => {
    const [owner, other] = [await catalog.addOwner(), await catalog.addOwner()];

    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => list(owner)));
    const neighbor = await list(other);

    const rejected = replies.filter(({ status }) => status === 409);
    expect(rejected).toHaveLength(2);
    expect(rejected[0]?.body).toMatchObject({
      code: 'TOO_MANY_TOOLS',
      detail: 'You can have at most 3 tools on LendTools. Please delete one first.',
    });
    expect(neighbor.status).toBe(201);
  });

  it("limits an owner's listings per day, even if all of them are deleted again", async () => {
    const owner = await catalog.addOwner();
    for (let times = 0; times < 3; times++) {
      const { body } = await list(owner);
      await catalog.http.delete(`/api/rentals/delete-tool/${body.rental.id}`, owner);
    }

    const { status, body, headers } = await list(owner);

    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.detail).toBe('You have listed many tools today. Please try again in 24 hours.');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000);
  });

  it("limits an owner's edits per hour", async () => {
    const owner = await catalog.addOwner();
    const { body } = await list(owner);
    const edit = () =>
      catalog.http.put(`/api/update-rental/${body.rental.id}`, { ...owner, body: {} });

    const statuses = [];
    for (let times = 0; times < 4; times++) statuses.push((await edit()).status);

    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('the catalog service', () => {
  it("limits an owner's uploaded bytes per day, by listings and edits together", async () => {
    const owner = await catalog.addOwner();
    const noise = await sharp(randomBytes(1_000 * 1_000 * 3), {
      raw: { width: 1_000, height: 1_000, channels: 3 },
    })
      .png()
      .toBuffer();

    const first = await list(owner, { cover_image: noise });
    const second = await list(owner, { cover_image: noise });
    const small = await picture();
    const edit = await catalog.http.put(`/api/update-rental/${first.body.rental.id}`, {
      token: owner.token,
      body: formOf({}, { image1: small, image2: small, image3: small }),
    });

    expect(noise.length).toBeGreaterThan(2.5 * 1024 * 1024);
    expect([first.status, second.status, edit.status]).toEqual([201, 429, 429]);
    expect(second.body.detail).toMatch(
      /^You have reached today’s limit for uploaded pictures\. .* in 24 hours\.$/,
    );
  });
});
