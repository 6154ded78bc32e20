import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roundPlace } from '@lendtools/contracts';
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

const newUser = async () => {
  const person = await accounts.signUp();
  return { ...person, ...(await accounts.logIn(person.email)) };
};

const update = (user: { userId: string; token: string }, body: unknown) =>
  accounts.http.put(`/api/update-account/${user.userId}`, { token: user.token, body });

const newEmailOf = (user: { email: string }): string => `new-${user.email}`;

describe('PUT /api/update-account/:userId with If-Match', () => {
  it('rejects an edit of a profile that was edited in the meantime', async () => {
    const { email } = await accounts.signUp();
    const { userId, token } = await accounts.logIn(email);
    const put = (body: object, ifMatch?: string) =>
      accounts.http.put(`/api/update-account/${userId}`, {
        token,
        body,
        headers: ifMatch ? { 'if-match': ifMatch } : {},
      });
    const first = await put({ address: '1 New Street' });
    const tag = `"${first.body.user.revision}"`;
    const moved = await put({ address: '2 Newer Street' }, tag);

    const stale = await put({ address: '1 New Street' }, tag);

    expect(moved.status).toBe(200);
    expect(stale).toMatchObject({ status: 412, body: { code: 'EDITED_ELSEWHERE' } });
    const { body } = await accounts.http.get(`/api/get-user-by-email/${email}`, { token });
    expect(body.user.address).toBe('2 Newer Street');
    expect((await put({ address: '3 Last Street' })).status).toBe(200);
  });
});

describe('PUT /api/update-account/:userId', () => {
  it('saves the given fields, keeps the others, and publishes the profile', async () => {
    const user = await newUser();

    const reply = await update(user, { first_name: 'Alex', state: 'Oregon', city: 'portland' });
    const { data } = await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId }) => userId === user.userId,
    );

    expect(reply.status).toBe(200);
    expect(reply.body.message).toBe('Your account is updated.');
    expect(reply.body.user).toMatchObject({
      first_name: 'Alex',
      last_name: user.last_name,
      state: 'Oregon',
      city: 'Portland',
    });
    expect(data).toMatchObject({
      firstName: 'Alex',
      timeZone: 'America/Los_Angeles',
      lat: 45.5234,
    });
  });

  it("increments the account's version with each change", async () => {
    const user = await newUser();

    await update(user, { first_name: 'One' });
    await update(user, { first_name: 'Two' });
    const versionOf = async (name: string) =>
      (
        await accounts.broker.expectEvent(
          'AccountUpdated',
          ({ userId, firstName }) => userId === user.userId && firstName === name,
        )
      ).version;

    expect([await versionOf('One'), await versionOf('Two')]).toEqual([2, 3]);
  });

  it('accepts the documented form, whose empty password changes nothing', async () => {
    const user = await newUser();
    const form = new FormData();
    for (const name of [
      'user_name',
      'first_name',
      'last_name',
      'phone',
      'email',
      'country',
      'state',
      'city',
      'address',
    ] as const)
      form.set(name, user[name]);
    form.set('password', '');
    form.set('userId', anyId());

    const reply = await update(user, form);

    expect(reply.status).toBe(200);
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
  });

  it('explains how to change the password when the body has a password but no new email', async () => {
    const user = await newUser();

    const { body } = await update(user, { first_name: 'Alex', password: 'a new one, perhaps' });

    expect(body.message).toBe(
      'Your account is updated. Your password was not: to change it, choose Reset Password, which asks for the current one and the new one.',
    );
    expect((await accounts.logIn(user.email)).token).toEqual(expect.any(String));
  });

  it('ignores role, id, disabled state and password hash in the body', async () => {
    const user = await newUser();
    const sent = {
      role: 'Admin',
      id: anyId(),
      userId: anyId(),
      disabled: true,
      image: '/etc/passwd',
      password: 'another password',
    };

    const reply = await update(user, sent);

    expect(reply.body.user).toMatchObject({
      id: user.userId,
      role: 'User',
      disabled: false,
      image: 'null',
    });
    await expect(accounts.logIn(user.email)).resolves.toBeDefined();
  });

  it('stores and publishes the pick-up place rounded to half a mile', async () => {
    const user = await newUser();
    const expectPlace = async (zip: string, placeAccuracy: string) => {
      const { body } = await accounts.http.get(`/api/get-user-by-email/${user.email}`, user);
      expect(body.user).toMatchObject({ zip, placeAccuracy });
    };
    const profile = (isLast: (data: { lat: number; placeAccuracy?: string }) => boolean) =>
      accounts.broker.expectEvent(
        'AccountUpdated',
        (data) => data.userId === user.userId && isLast(data),
      );

    await update(user, { state: 'OR', city: 'Portland', zip: '97202-1234' });
    await expectPlace('97202', 'area');
    const byZip = await profile(({ placeAccuracy }) => placeAccuracy === 'area');
    expect(byZip.data).toMatchObject(roundPlace({ lat: 45.484, lng: -122.636 }));

    const home = { lat: 45.512345, lng: -122.612345 };
    await update(user, home);
    await expectPlace('', 'area');
    const byPoint = await profile(({ lat }) => lat === roundPlace(home).lat);
    expect(byPoint.data).toMatchObject({ ...roundPlace(home), placeAccuracy: 'area' });
    const { rows } = await accounts.pool.query('SELECT lat FROM users WHERE id = $1', [
      user.userId,
    ]);
    expect(rows[0].lat).toBe(roundPlace(home).lat);

    await update(user, { first_name: 'Kim' });
    await expectPlace('', 'area');
    await update(user, { zip: '' });
    await expectPlace('', 'city');
    await update(user, home);
    await update(user, { city: 'Salem' });
    await expectPlace('', 'city');
  });

  it('adds the address of a user who signed up without one, all of it at once', async () => {
    const { state: _, city: __, address: ___, ...person } = newPerson();
    await accounts.http.post('/api/create-account', { body: person });
    const user = { ...person, ...(await accounts.logIn(person.email)) };
    const whole = { state: 'Oregon', city: 'Portland', address: '1 New Street' };

    const renamed = await update(user, { first_name: 'Alex', country: 'United States' });
    const parts = await Promise.all(
      [{ address: whole.address }, { state: 'Oregon' }, { lat: 45.5, lng: -122.6 }].map((body) =>
        update(user, body),
      ),
    );
    const added = await update(user, whole);
    const { data } = await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId, city }) => userId === user.userId && city !== '',
    );

    expect(renamed).toMatchObject({ status: 200, body: { user: { city: '', address: '' } } });
    expect(parts.map(({ status, body }) => [status, body.errors?.[0].path])).toEqual([
      [400, 'state'],
      [400, 'city'],
      [400, 'state'],
    ]);
    expect(added.body.user).toMatchObject(whole);
    expect(data).toMatchObject({ ...whole, timeZone: 'America/Los_Angeles' });
  });

  it.each([
    [{ zip: '00000' }, 'ZIP_UNKNOWN', 'zip'],
    [{ zip: '10001' }, 'PLACE_TOO_FAR', 'zip'],
    [{ lat: 0, lng: 0 }, 'PLACE_TOO_FAR', 'lat'],
    [{ zip: '9720' }, 'VALIDATION_FAILED', 'zip'],
    [{ lat: 91, lng: 0 }, 'VALIDATION_FAILED', 'lat'],
  ])('rejects the profile %j with %s', async (body, code, path) => {
    const user = await newUser();

    const reply = await update(user, body);

    expect(reply).toMatchObject({ status: 400, body: { code, errors: [{ path }] } });
  });

  it('lets users edit only their own account', async () => {
    const [one, other] = [await newUser(), await newUser()];
    const admin = await accounts.logInAdmin();

    const replies = [
      await update({ ...one, token: other.token }, { first_name: 'Evil' }),
      await update({ ...one, token: admin.token }, { first_name: 'Evil' }),
      await update({ ...one, token: '' }, { first_name: 'Evil' }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  it('rejects a profile whose city is not in its state, and saves nothing', async () => {
    const user = await newUser();

    const reply = await update(user, { first_name: 'Alex', state: 'Hawaii' });
    const { body } = await accounts.http.get(`/api/get-user-by-email/${user.email}`, user);

    expect(reply).toMatchObject({ status: 400, body: { code: 'PLACE_UNKNOWN' } });
    expect(body.user.first_name).toBe(user.first_name);
  });
});

describe('PUT /api/update-account/:userId with a new email', () => {
  it.each([[{}], [{ password: '' }], [{ password: 'not the password' }]])(
    'changes nothing when the current password is %j',
    async (typed) => {
      const user = await newUser();

      const reply = await update(user, { first_name: 'Evil', email: newEmailOf(user), ...typed });
      const { body } = await accounts.http.get(`/api/get-user-by-email/${user.email}`, user);

      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'PASSWORD_WRONG', errors: [{ path: 'password' }] },
      });
      expect(body.user.first_name).toBe(user.first_name);
    },
  );

  it('rejects an email that another user has', async () => {
    const [user, other] = [await newUser(), await newUser()];

    const reply = await update(user, { email: other.email, password });

    expect(reply).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
  });

  it('rejects the email of a deleted user', async () => {
    const reply = await update(await newUser(), { email: `${anyId()}@deleted.invalid`, password });

    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } });
  });
});
