import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import sharp from 'sharp';
import {
  type AccountsService,
  anyId,
  newPerson,
  password,
  startAccountsService,
} from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const signUp = (body: unknown, headers: Record<string, string> = {}) =>
  accounts.http.post('/api/create-account', { body, headers });

const formOf = (person: Record<string, string>, picture: Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(person)) form.set(name, value);
  form.set('image', new Blob([picture], { type: 'image/png' }), 'me.png');
  return form;
};

const drawPicture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c60' } })
      .png()
      .toBuffer(),
  );

const countUsers = async (email: string): Promise<number> => {
  const { rows } = await accounts.pool.query('SELECT 1 FROM users WHERE email = $1', [email]);
  return rows.length;
};

describe('POST /api/create-account', () => {
  it('creates a user and publishes their profile and place', async () => {
    const { password: _, ...person } = newPerson({
      country: 'Canada',
      state: 'tx',
      city: 'austin',
      phone: '(503) 555-0100',
    });

    const reply = await signUp({ ...person, password });
    const event = await accounts.broker.expectEvent(
      'AccountRegistered',
      ({ email }) => email === person.email,
    );

    expect(reply.status).toBe(201);
    expect(reply.body.user).toEqual({
      ...person,
      country: 'United States',
      state: 'Texas',
      city: 'Austin',
      id: expect.any(String),
      role: 'User',
      image: 'null',
      zip: '',
      placeAccuracy: 'city',
      emailVerified: false,
      disabled: false,
      revision: 1,
      createdAt: expect.any(String),
    });
    expect(event).toMatchObject({ aggregateId: reply.body.user.id, version: 1 });
    expect(event.data).toEqual({
      userId: reply.body.user.id,
      role: 'User',
      firstName: 'Sam',
      lastName: 'Rivers',
      email: person.email,
      image: 'null',
      country: 'United States',
      state: 'Texas',
      city: 'Austin',
      address: '12 Elm Street',
      lat: 30.2672,
      lng: -97.7431,
      timeZone: 'America/Chicago',
      placeAccuracy: 'city',
      emailVerified: false,
      welcomeFollows: true,
    });
  });

  it('creates a user without an address', async () => {
    const { state: _, city: __, address: ___, ...person } = newPerson();

    const reply = await signUp(person);
    const event = await accounts.broker.expectEvent(
      'AccountRegistered',
      ({ email }) => email === person.email,
    );

    const none = { country: 'United States', state: '', city: '', address: '' };
    expect(reply.status).toBe(201);
    expect(reply.body.user).toMatchObject({ ...none, zip: '', placeAccuracy: 'city' });
    expect(event.data).toMatchObject({ ...none, timeZone: 'UTC', placeAccuracy: 'city' });
  });

  it.each([
    ['state', { state: undefined }],
    ['city', { city: undefined }],
    ['address', { address: undefined }],
    ['address', { address: '' }],
    ['state', { state: undefined, city: undefined, address: undefined, zip: '73301' }],
  ])('rejects an address without its %s: %j', async (path, changes) => {
    const reply = await signUp({ ...newPerson(), ...changes });

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] });
    expect(reply.body.message).toBe(`Please enter your ${path}`);
  });

  it('accepts a form with a picture, which is served in three widths', async () => {
    const reply = await signUp(formOf(newPerson(), await drawPicture()));
    const { image } = reply.body.user;
    const pictures = await Promise.all(
      ['-320.', '-640.', '-1280.'].map((width) =>
        fetch(new URL(image.replace('-640.', width), accounts.url)),
      ),
    );

    expect(reply.status).toBe(201);
    expect(image).toMatch(/^\/api\/images\/people-[0-9a-f]{32}-640\.webp$/);
    for (const picture of pictures) {
      expect(picture.status).toBe(200);
      expect(picture.headers.get('content-type')).toBe('image/webp');
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
      expect(picture.headers.get('cache-control')).toContain('immutable');
    }
  });

  it.each([
    ['a text', async () => new TextEncoder().encode('<script>alert(1)</script>')],
    ['an SVG', async () => new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a truncated picture', async () => (await drawPicture()).slice(0, 300)],
    [
      'a picture of 36 megapixels',
      async () =>
        new Uint8Array(
          await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#000' } })
            .png()
            .toBuffer(),
        ),
    ],
  ])('rejects %s as a picture and creates no user', async (_name, draw) => {
    const person = newPerson();

    const reply = await signUp(formOf(person, await draw()));

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'IMAGE_REJECTED', errors: [{ path: 'image' }] });
    expect(await countUsers(person.email)).toBe(0);
  });

  it('rejects a picture of more than 10 MB and names its field', async () => {
    const reply = await signUp(formOf(newPerson(), new Uint8Array(10 * 1024 * 1024 + 1)));

    expect(reply.status).toBe(413);
    expect(reply.body.message).toBe('Please choose a picture of at most 10 MB.');
  });

  it('ignores a role, an id and an account state in the body', async () => {
    const extra = {
      role: 'Admin',
      id: 'mine',
      disabled: 'true',
      image: '/etc/passwd',
      version: '9',
    };

    const reply = await signUp({ ...newPerson(), ...extra });

    expect(reply.body.user).toMatchObject({ role: 'User', disabled: false, image: 'null' });
    expect(reply.body.user.id).not.toBe('mine');
  });

  it.each([
    [{ city: 'Atlantis' }, 'city', `We don't know a city called "Atlantis" in Texas.`],
    [{ state: 'Bavaria' }, 'state', `We don't know a US state called "Bavaria".`],
  ])('rejects the place %j and names the unknown part', async (place, path, words) => {
    const reply = await signUp(newPerson(place));

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'PLACE_UNKNOWN', errors: [{ path }] });
    expect(reply.body.message).toContain(words);
  });

  it.each([
    'a\r\nBcc: all@example.com',
    'sam@example.com\r\nBcc: all@example.com',
    'sam@example.com,all@example.com',
    'sam(comment)@example.com',
    'Group: sam@example.com;',
    'Sam <sam@example.com>',
    '"sam"@example.com',
    'sam@[127.0.0.1]',
    'sam@localhost',
    'sam',
    '',
  ])('rejects a sign-up with the email %j', async (email) => {
    const reply = await signUp(newPerson({ email }));

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'email' }] });
  });

  it.each([
    ['seven77', 'VALIDATION_FAILED'],
    ['x'.repeat(257), 'VALIDATION_FAILED'],
    ['Password', 'PASSWORD_TOO_COMMON'],
    ['1234567890', 'PASSWORD_TOO_COMMON'],
    ['Rivers of Austin', 'PASSWORD_TOO_WEAK'],
    ['samrivers1', 'PASSWORD_TOO_WEAK'],
    ['12elmstreet', 'PASSWORD_TOO_WEAK'],
    ['long '.repeat(51), 'PASSWORD_TOO_WEAK'],
  ])('rejects a sign-up with the password %s', async (typed, code) => {
    const reply = await signUp(newPerson({ user_name: 'Rivers of Austin', password: typed }));

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code, errors: [{ path: 'password' }] });
  });

  it.each(['wqzvkxjtp', 'ключ под ковриком', `moss and pine ${'cone '.repeat(48)}!`])(
    'accepts the password %s, and compares it in full at login',
    async (typed) => {
      const { email } = await accounts.signUp({ password: typed });

      await expect(accounts.logIn(email, typed.slice(0, -1))).rejects.toThrow('401');
      await expect(accounts.logIn(email, typed)).resolves.toBeDefined();
    },
  );

  it('stores the password as argon2id at the cost that OWASP recommends', async () => {
    const { id } = await accounts.signUp();

    const { rows } = await accounts.pool.query('SELECT password_hash FROM users WHERE id = $1', [
      id,
    ]);

    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('rejects a sign-up with a taken email, ignoring case', async () => {
    const { email } = await accounts.signUp();

    const reply = await signUp(newPerson({ email: email.toUpperCase() }));

    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: 'EMAIL_TAKEN', errors: [{ path: 'email' }] });
  });

  it('rejects the email of a deleted user, ignoring case', async () => {
    const reply = await signUp(newPerson({ email: `${anyId()}@Deleted.Invalid` }));

    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'email', msg: 'Please enter a valid email' }] },
    });
  });

  it('creates one user from ten concurrent requests with the same email', async () => {
    const person = newPerson();

    const replies = await Promise.all(Array.from({ length: 10 }, () => signUp(person)));

    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(409)]);
    expect(await countUsers(person.email)).toBe(1);
  });

  it('rejects an email whose user is just replacing it, and may get it back', async () => {
    const { id, email } = await accounts.signUp();
    const change = await accounts.pool.connect();
    try {
      await change.query('BEGIN');
      await change.query('UPDATE users SET email = $2 WHERE id = $1', [id, `new-${email}`]);
      await change.query('INSERT INTO former_emails (hash, user_id, email) VALUES ($1, $2, $3)', [
        Buffer.from(email),
        id,
        email,
      ]);
      const reply = signUp(newPerson({ email }), { 'idempotency-key': `sign-up-${email}` });
      await waitFor('the sign-up to wait', async () => {
        const { rowCount } = await accounts.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount;
      });
      await change.query('COMMIT');

      expect(await reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    } finally {
      change.release();
    }
  });

  it('replays the first reply when the Idempotency-Key is repeated', async () => {
    const person = newPerson();
    const headers = { 'idempotency-key': `sign-up-${person.email}` };

    const [first, second] = await Promise.all([signUp(person, headers), signUp(person, headers)]);

    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(await countUsers(person.email)).toBe(1);
  });

  it('limits sign-ups per network, counting an IPv6 /64 as one network', async () => {
    const limited = await startAccountsService({ RATE_LIMIT_FACTOR: '0.03' });
    try {
      const replies = [];
      for (let i = 0; i < 4; i++)
        replies.push(
          await limited.http.post('/api/create-account', {
            body: newPerson(),
            headers: { 'x-forwarded-for': `2001:db8::${i}` },
          }),
        );
      const elsewhere = await limited.http.post('/api/create-account', {
        body: newPerson(),
        headers: { 'x-forwarded-for': '2001:db8:0:1::' },
      });

      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
      expect(Number(replies[3]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
      expect(elsewhere.status).toBe(201);
    } finally {
      await limited.stop();
    }
  });
});
