import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.send-account-emails';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const resetRequested = (token = randomBytes(16).toString('base64url')) => {
  const userId = randomUUIDv7();
  return { userId, email: `${userId}@example.com`, firstName: 'Rita', token };
};

describe(queue, () => {
  it('welcomes a new user', async () => {
    const { email } = await service.addPerson('Rita');

    const welcome = await service.expectEmail(email, /^Welcome to LendTools$/);

    expect(welcome.text).toContain('Welcome, Rita!');
    expect(welcome.raw).toContain('To: Rita Renter <');
  });

  it('sends the welcome and the verification link in one email', async () => {
    const person = await service.addPerson('Rita', { welcomeFollows: true });
    const request = {
      userId: person.id,
      email: person.email,
      firstName: 'Rita',
      lastName: 'Renter',
    };

    await service.broker.sendNew('EmailVerificationRequested', {
      ...request,
      token: 'a+b',
      isWelcome: true,
    });
    const welcome = await service.expectEmail(person.email, /^Welcome to LendTools$/);
    await service.broker.sendNew('EmailVerificationRequested', {
      ...request,
      token: 'c',
      isWelcome: false,
    });
    const again = await service.expectEmail(person.email, /^Verify your LendTools email$/);

    expect(welcome.text).toContain('http://lendtools.test/confirm-email?token=a%2Bb');
    expect(again.text).toContain('http://lendtools.test/confirm-email?token=c');
    expect(service.emailsTo(person.email)).toHaveLength(2);
  });

  it.each([
    'Free tools at evil.example',
    'https://evil.example',
    'You won $1000',
    'Call 512 555 0100 now',
    'Dear customer your account is closed',
  ])("omits a user's name that may be an advertisement: %s", async (firstName) => {
    const { id: userId, email } = await service.addPerson(firstName);
    const request = { userId, firstName, token: 'abc' };
    const requested = { ...request, email, lastName: firstName, isWelcome: false };
    const change = {
      ...request,
      oldEmail: `old-${email}`,
      oldEmailVerified: false,
      newEmail: email,
    };

    await service.broker.sendNew('EmailVerificationRequested', requested);
    await service.broker.sendNew('PasswordResetRequested', { ...request, email });
    await service.broker.sendNew('EmailChangeRequested', change);
    const emails = await waitFor('four emails', () => {
      const all = service.emailsTo(email);
      return all.length === 4 && all;
    });

    for (const { raw, text } of emails) {
      expect(raw + text).not.toContain(firstName);
      expect(raw).not.toContain('evil');
    }
    expect(emails.map(({ text }) => text).join()).toContain('Welcome to LendTools!');
  });

  it('emails a link to reset the password, and deletes the stored token once the email is sent', async () => {
    const request = resetRequested('a+token/with=signs');

    await service.broker.sendNew('PasswordResetRequested', request);
    const email = await service.expectEmail(request.email, /^Reset your LendTools password$/);

    expect(email.text).toContain(
      'http://lendtools.test/reset-password?token=a%2Btoken%2Fwith%3Dsigns',
    );
    const database = await mongoose.createConnection(service.databaseUrl).asPromise();
    const logged = await waitFor('the mark', () =>
      database.collection('emails').findOne({ 'to.address': request.email, status: 'sent' }),
    );
    await database.close();
    expect(JSON.stringify(logged)).not.toContain('token');
    expect(logged).not.toHaveProperty('html');
  });

  it('sends the confirmation to the new address and a warning to the old one', async () => {
    const userId = randomUUIDv7();
    const [oldEmail, newEmail] = [`old-${userId}@example.com`, `new-${userId}@example.com`];

    await service.broker.sendNew('EmailChangeRequested', {
      userId,
      firstName: 'Rita',
      oldEmail,
      oldEmailVerified: true,
      newEmail,
      token: 'secret',
    });

    const confirm = await service.expectEmail(newEmail, /Confirm/);
    const note = await service.expectEmail(oldEmail, /about to change/);
    expect(confirm.text).toContain('http://lendtools.test/confirm-email?token=secret');
    expect(note.text).toContain(newEmail);
    expect(note.raw).not.toContain('secret');
  });

  it('sends a link that undoes the change of the email to the old address only', async () => {
    const userId = randomUUIDv7();
    const [oldEmail, newEmail] = [`old-${userId}@example.com`, `new-${userId}@example.com`];
    const data = { userId, firstName: 'Rita', oldEmail, newEmail, token: 'secret' };

    await service.broker.sendNew('EmailChanged', data);

    const { text } = await service.expectEmail(oldEmail, /^Your LendTools email was changed$/);
    expect(text).toContain('http://lendtools.test/undo-email-change?token=secret');
    expect(text).toContain(newEmail);
    expect(service.emailsTo(newEmail)).toEqual([]);
  });

  it('tells the restored and the replaced address why an admin restored an email', async () => {
    const userId = randomUUIDv7();
    const [email, replacedEmail] = [`old-${userId}@example.com`, `new-${userId}@example.com`];
    const reason = 'Rita showed us her passport.';

    await service.broker.sendNew('EmailRestored', {
      userId,
      firstName: 'Rita',
      email,
      replacedEmail,
      reason,
    });

    const restored = await service.expectEmail(email, /account has this email again/);
    const replaced = await service.expectEmail(replacedEmail, /no longer has this email/);
    expect(restored.text).toContain(reason);
    expect(replaced.text).toContain(reason);
    expect(replaced.text).not.toContain(email);
  });

  it.each([
    ['added', 'your logins need a code now', 'Keep your recovery codes'],
    ['removed', 'your logins need no code any more', 'was removed'],
    ['passkey-added', 'you have a new passkey', 'remove it in Settings'],
    ['passkey-removed', 'a passkey was removed', 'no longer logs you in'],
    ['removed-by-admin', 'your logins need only your password', 'The reason: They lost it.'],
    ['recovery-codes-renewed', 'you have new recovery codes', 'were replaced'],
    ['recovery-code-used', 'a recovery code was used', 'Codes left: 7'],
  ] as const)('warns of a second factor: %s', async (change, subject, words) => {
    const { id: userId, email } = await service.addPerson('Rita');
    const data = { userId, email, firstName: 'Rita', change, recoveryCodesLeft: 7 };
    const reason = 'They lost it.';

    await service.broker.sendNew('SecondFactorChanged', { ...data, reason });

    const { text } = await service.expectEmail(email, new RegExp(subject));
    expect(text).toContain(words);
    expect(text).toContain('http://lendtools.test/password-request');
  });

  it('warns of a login from a new device', async () => {
    const { id: userId, email } = await service.addPerson('Rita');

    await service.broker.sendNew('NewDeviceLoggedIn', {
      userId,
      email,
      firstName: 'Rita',
      device: 'Chrome on Windows',
      place: null,
      timeZone: 'America/Chicago',
    });

    const { text } = await service.expectEmail(email, /^A new device logged in/);
    expect(text).toContain('Chrome on Windows');
    expect(text).toContain('Unknown');
    expect(text).toMatch(/C[SD]T/);
    expect(text).toContain('http://lendtools.test/password-request');
    expect(text).toContain('http://lendtools.test/user/security');
  });

  it.each([
    [false, 'Your LendTools account stays', 'your account is open again'],
    [true, 'Your LendTools account will not be deleted', 'we have disabled your account'],
  ])(
    'tells the user that the account is not deleted (disabled: %s)',
    async (disabled, subject, words) => {
      const { id: userId, email } = await service.addPerson('Rita');
      const timeZone = 'America/Chicago';

      await service.broker.sendNew('AccountDeletionChanged', {
        userId,
        email,
        firstName: 'Rita',
        timeZone,
        deletionDueAt: null,
        disabled,
      });

      const { text } = await service.expectEmail(email, new RegExp(`^${subject}$`));
      expect(text).toContain(words);
    },
  );

  it('warns about a changed password and a new calendar address', async () => {
    const { id: userId, email } = await service.addPerson('Rita');

    await service.broker.sendNew('PasswordChanged', { userId, email, firstName: 'Rita' });
    await service.broker.sendNew('CalendarFeedCreated', { userId });

    const changed = await service.expectEmail(email, /^Your LendTools password was changed$/);
    const created = await service.expectEmail(email, /^A new address for your LendTools calendar$/);
    for (const { text } of [changed, created])
      expect(text).toContain('http://lendtools.test/password-request');
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const request = resetRequested();
      return {
        send: () => service.broker.sendNew('PasswordResetRequested', request),
        countEffects: () => service.emailsTo(request.email).length,
      };
    },
  );
});
