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

describe("the purge of users' pictures", () => {
  it("deletes a user's picture a week after it was replaced, unless another user has the same one", async () => {
    const images = await createImageStore(
      { IMAGES_DIR: accounts.imagesFolder },
      { prefix: 'people', pool: accounts.pool },
    );
    const purge = purgeUserPictures({
      images,
      pool: accounts.pool,
      metrics: createMetrics('test'),
    });
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
    const [sam, kim] = [await accounts.signUp(), await accounts.signUp()];
    const replaced = await setPicture(sam.email, 'red');
    const shared = await setPicture(sam.email, 'green');
    await setPicture(kim.email, 'green');
    const latest = await setPicture(sam.email, 'blue');

    await passTime();
    await purge();
    await passTime();
    await purge();

    const left = new Set((await images.list()).map((picture) => picture.path));
    expect(left).toEqual(new Set([shared, latest]));
    expect(left).not.toContain(replaced);
  });
});
