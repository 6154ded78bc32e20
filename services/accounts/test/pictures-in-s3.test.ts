import { expect, it } from '@jest/globals';
import { createBucket } from '@lendtools/testing';
import sharp from 'sharp';
import { startAccountsService } from './accounts-service.ts';

it("serves a person's picture that another replica stored in S3", async () => {
  const bucket = await createBucket();
  const accounts = await startAccountsService({ S3_URL: bucket.url, IMAGES_DIR: '' });
  const other = await accounts.startReplica();
  const { email } = await accounts.signUp();
  const { userId, token } = await accounts.logIn(email);
  const create = { width: 50, height: 50, channels: 3, background: 'teal' } as const;
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())]), 'me.png');

  const saved = await accounts.http.put(`/api/update-account/${userId}`, { token, body });
  const reply = await fetch(new URL(saved.body.user.image, other.url));

  await other.stop();
  await accounts.stop();
  await bucket.drop();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp']);
});
