import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTasksNow } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import {
  type AccountsService,
  type Session,
  startAccountsService,
} from '../../test/accounts-service.ts';
import { startFakeServices } from '../../test/fake-services.ts';
import { readParts } from '../store/data-export-repository.ts';

let accounts: AccountsService;
let catalog: Awaited<ReturnType<typeof startFakeServices>>;
beforeAll(async () => {
  catalog = await startFakeServices();
  accounts = await startAccountsService({ CATALOG_URL: catalog.url });
});
afterAll(async () => {
  await accounts.stop();
  await catalog.stop();
});

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const requestExport = ({ userId, token }: Session) =>
  accounts.http.post(`/api/user/${userId}/data-exports`, { token });

/** Has a file made, and returns its id from the email's event. */
const exported = async (user: Session, earlier?: string): Promise<string> => {
  const reply = await requestExport(user);
  if (reply.status !== 202) throw new Error(JSON.stringify(reply.body));
  const { data } = await accounts.broker.expectEvent(
    'DataExportReady',
    ({ userId, exportId }) => userId === user.userId && exportId !== earlier,
  );
  return data.exportId;
};

const download = ({ userId, token }: Session, id: string) =>
  fetch(`${accounts.url}/api/user/${userId}/data-exports/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });

const codeOf = async (reply: Response): Promise<string> =>
  ((await reply.json()) as { code: string }).code;

/** As if the session had begun an hour ago. */
const age = async (user: Session): Promise<Session> => {
  await accounts.pool.query(
    `UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`,
    [user.userId],
  );
  return { ...user, token: (await accounts.refresh(user.cookie)).body.token };
};

/** Replaces the user's tool pictures. */
const showPictures = (...reads: (() => Promise<Buffer>)[]): void => {
  const pictures = reads.map((read) => {
    const name = randomUUID().replaceAll('-', '');
    catalog.pictures.set(`/api/images/tools-${name}-1280.webp`, read);
    return `/api/images/tools-${name}-640.webp`;
  });
  catalog.data.set('catalog', { files: {}, pictures });
};

/** A picture that is sent only when the test releases it. */
const heldPicture = () => {
  const requested = Promise.withResolvers<void>();
  const content = Promise.withResolvers<Buffer>();
  return {
    requested: requested.promise,
    release: content.resolve,
    read: () => {
      requested.resolve();
      return content.promise;
    },
  };
};

/** Requests an export while a service is unavailable. */
const failOnce = async (user: Session): Promise<void> => {
  accounts.servicesOutage.isOn = true;
  await requestExport(user);
  await waitFor('a failed attempt', async () => {
    const { rows } = await accounts.pool.query(
      `SELECT FROM graphile_worker.jobs WHERE key LIKE 'make-data-export:%' AND attempts > 0 AND locked_at IS NULL`,
    );
    return rows.length > 0;
  });
};

const close = (user: Session) =>
  accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.userId]);

const expectNoExport = async ({ userId }: Session): Promise<void> => {
  await waitFor('the end of the export', async () => {
    const { rowCount } = await accounts.pool.query('SELECT FROM data_exports WHERE user_id = $1', [
      userId,
    ]);
    return rowCount === 0;
  });
  const { rowCount } = await accounts.pool.query(
    `SELECT FROM outbox_messages
     WHERE type = 'DataExportReady' AND envelope -> 'data' ->> 'userId' = $1`,
    [userId],
  );
  expect(rowCount).toBe(0);
};

describe('the download of a user’s data', () => {
  it('is a ZIP file of the JSON of every service and the pictures', async () => {
    const user = await newUser();
    const image = new FormData();
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    image.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png');
    await accounts.http.put(`/api/update-account/${user.userId}`, {
      token: user.token,
      body: image,
    });
    const cover = '/api/images/tools-0123456789abcdef0123456789abcdef-640.webp';
    catalog.data.set('catalog', { files: { tools: [{ name: 'Saw' }] }, pictures: [cover, cover] });
    accounts.exportedData.set('messaging', {
      files: { messages: [{ text: 'Hello' }] },
      pictures: [],
    });

    const reply = await download(user, await exported(user));

    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toContain('lendtools-data.zip');
    expect(reply.headers.get('cache-control')).toContain('no-store');
    const files = unzipSync(await reply.bytes());
    const read = (name: string) => JSON.parse(strFromU8(files[name] as Uint8Array));
    expect(read('account/profile.json')).toMatchObject([
      { email: user.email, address: '12 Elm Street' },
    ]);
    expect(read('account/sessions.json')).toHaveLength(1);
    expect(read('account/passkeys.json')).toEqual([]);
    expect(read('tools/tools.json')).toEqual([{ name: 'Saw' }]);
    expect(read('messages/messages.json')).toEqual([{ text: 'Hello' }]);
    const pictures = Object.keys(files).filter((name) => name.startsWith('pictures/'));
    expect(pictures).toHaveLength(2);
    expect(pictures).toContain('pictures/tools-0123456789abcdef0123456789abcdef-1280.webp');
  });

  it('contains neither the password nor secrets', async () => {
    const user = await newUser();
    const { rows } = await accounts.pool.query('SELECT password_hash FROM users WHERE id = $1', [
      user.userId,
    ]);

    const files = unzipSync(await (await download(user, await exported(user))).bytes());

    const all = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join();
    expect(all).not.toContain(rows[0].password_hash);
    expect(all).not.toMatch(/hash|secret|token/i);
  });

  it('rejects another user, under the owner’s path and under their own', async () => {
    const [user, thief] = [await newUser(), await newUser()];
    const admin = await accounts.logInAdmin();
    const id = await exported(user);

    const stolen = await download(thief, id);
    const replies = [
      await download({ ...user, token: thief.token }, id),
      await download({ ...user, token: admin.token }, id),
      await requestExport({ ...user, token: thief.token }),
    ];

    expect([stolen.status, await codeOf(stolen)]).toEqual([404, 'DATA_EXPORT_NOT_FOUND']);
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('rejects a stolen access token of a login that is not fresh', async () => {
    const user = await newUser();
    const id = await exported(user);

    const stolen = await age(user);
    const [request, reply] = [await requestExport(stolen), await download(stolen, id)];

    expect(request.body.code).toBe('REAUTHENTICATION_REQUIRED');
    expect([reply.status, await codeOf(reply)]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });

  it('expires after seven days', async () => {
    const user = await newUser();
    const id = await exported(user);
    const { rows } = await accounts.pool.query(
      `UPDATE data_exports SET expires_at = now() WHERE id = $1
       RETURNING old.expires_at - requested_at > interval '6 days 23 hours' AS "isWeek"`,
      [id],
    );

    const reply = await download(user, id);

    expect(rows[0].isWeek).toBe(true);
    expect(await codeOf(reply)).toBe('DATA_EXPORT_NOT_FOUND');
  });

  it('replaces the user’s earlier file', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const [earlier, others] = [await exported(user), await exported(other)];

    const id = await exported(user, earlier);

    const gone = await download(user, earlier);
    expect([gone.status, await codeOf(gone)]).toEqual([404, 'DATA_EXPORT_NOT_FOUND']);
    expect((await download(user, id)).status).toBe(200);
    expect((await download(other, others)).status).toBe(200);
  });

  it('breaks off if the file is replaced meanwhile', async () => {
    const user = await newUser();
    const id = await exported(user);
    const parts = readParts(accounts.pool, id);
    await parts.next();

    await accounts.pool.query('DELETE FROM data_exports WHERE id = $1', [id]);

    await expect(parts.next()).rejects.toThrow('no longer available');
  });

  it('is retried until an unavailable service is back', async () => {
    const user = await newUser();
    let isFetched = false;
    showPictures(async () => {
      isFetched = true;
      return Buffer.from('a saw');
    });
    await failOnce(user);
    expect(isFetched).toBe(false);

    accounts.servicesOutage.isOn = false;

    const { data } = await accounts.broker.expectEvent(
      'DataExportReady',
      ({ userId }) => userId === user.userId,
    );
    expect((await download(user, data.exportId)).status).toBe(200);
    expect(isFetched).toBe(true);
  });

  it('is made by the later of two runs, whichever ends first', async () => {
    const user = await newUser();
    const [first, second] = [heldPicture(), heldPicture()];
    showPictures(async () => Buffer.alloc(1_500_000), first.read);
    await requestExport(user);
    await first.requested;
    showPictures(second.read);
    // As if the first run's process had lost its connection.
    await accounts.pool.query(
      `UPDATE graphile_worker._private_jobs SET id = DEFAULT, locked_at = NULL, locked_by = NULL
       WHERE key LIKE 'make-data-export:%'`,
    );
    await runTasksNow(accounts.pool);
    await second.requested;

    first.release(Buffer.from('a saw'));
    second.release(Buffer.from('a drill'));

    const { data } = await accounts.broker.expectEvent(
      'DataExportReady',
      ({ userId }) => userId === user.userId,
    );
    const files = unzipSync(await (await download(user, data.exportId)).bytes());
    const pictures = Object.keys(files).filter((name) => name.startsWith('pictures/'));
    expect(pictures.map((name) => strFromU8(files[name] as Uint8Array))).toEqual(['a drill']);
  });

  it('is deleted and not emailed if the account is closed while it is made', async () => {
    const user = await newUser();
    const picture = heldPicture();
    showPictures(picture.read);
    await requestExport(user);
    await picture.requested;
    await close(user);

    picture.release(Buffer.from('a saw'));

    await expectNoExport(user);
  });

  it('is deleted and not emailed if the account is closed before it is made', async () => {
    const user = await newUser();
    await failOnce(user);
    await close(user);

    accounts.servicesOutage.isOn = false;
    await runTasksNow(accounts.pool);

    await expectNoExport(user);
  });
});
