import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createImageStore, createMetrics } from '@lendtools/service-kit';
import sharp from 'sharp';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';
import { purgeUserPictures } from './purge-user-pictures.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const passTime = async (): Promise<void> => {
  const before = new Date(Date.now() - 2 * 86_400_000);
  for (const name of await readdir(accounts.imagesFolder))
    await utimes(path.join(accounts.imagesFolder, name), before, before);
  await accounts.pool.query(`UPDATE unused_pictures SET since = since - interval '8 days'`);
};

const openPurge = async () => {
  const images = await createImageStore(
    { IMAGES_DIR: accounts.imagesFolder },
    { prefix: 'people', pool: accounts.pool },
  );
  const purge = purgeUserPictures({ images, pool: accounts.pool, metrics: createMetrics('test') });
  const purgeAfterAWeek = async () => {
    await passTime();
    await purge();
    await passTime();
    await purge();
  };
  const left = async () => (await images.list()).map((picture) => picture.path);
  return { purgeAfterAWeek, left };
};

const setPicture = async (email: string, background: string): Promise<string> => {
  const { userId, token } = await accounts.logIn(email);
  const bytes = await sharp({ create: { width: 50, height: 50, channels: 3, background } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(bytes)]), 'me.png');
  const saved = await accounts.http.put(`/api/update-account/${userId}`, { token, body });
  return saved.body.user.image;
};

describe("the purge of users' pictures", () => {
  it("deletes a user's picture a week after it was replaced, unless another user has the same one", async () => {
    const { purgeAfterAWeek, left } = await openPurge();
    const [sam, kim] = [await accounts.signUp(), await accounts.signUp()];
    const replaced = await setPicture(sam.email, 'red');
    const shared = await setPicture(sam.email, 'green');
    await setPicture(kim.email, 'green');
    const latest = await setPicture(sam.email, 'blue');

    await purgeAfterAWeek();

    const kept = new Set(await left());
    expect(kept).toEqual(new Set([shared, latest]));
    expect(kept).not.toContain(replaced);
  });

  it('keeps a replaced picture while a report of its user waits', async () => {
    const { purgeAfterAWeek, left } = await openPurge();
    const [sam, kim] = [await accounts.signUp(), await accounts.signUp()];
    const reported = await setPicture(sam.email, 'black');
    const { token } = await accounts.logIn(kim.email);
    await accounts.http.post('/api/reports', {
      token,
      body: { about: 'person', id: sam.id, reason: 'offensive', text: 'The picture is rude.' },
    });
    await setPicture(sam.email, 'white');

    await purgeAfterAWeek();
    const whileItWaits = await left();
    await accounts.pool.query(
      `UPDATE reports SET waiting_since = NULL, decision = 'warn', decided_at = now()`,
    );
    await purgeAfterAWeek();

    expect(whileItWaits).toContain(reported);
    expect(await left()).not.toContain(reported);
  });
});
