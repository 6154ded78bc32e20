import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { generateSync } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import { closePages, enterAs, launch, logInOnScreen, openBrowser } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { mailsTo } from '../src/marketplace.ts';
import { api, newVerifiedPerson, type Person } from '../src/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const enter = async (options: { touch?: number }) => {
  const person = await newVerifiedPerson({ first_name: 'Tess' });
  const visitor = await openBrowser(browser, options);
  await enterAs(visitor, person);
  await visitor.goTo('/user/security');
  return { person, visitor, page: visitor.page };
};

const emailOf = (person: Person, subject: string) =>
  waitFor(`the email "${subject}"`, async () =>
    (await mailsTo(person.email)).find((email) => email.subject === subject),
  );

/** The key that the page shows for apps that can't scan its QR code. */
const readSecret = async (page: Page): Promise<string> =>
  (await page.locator('code').innerText()).replaceAll(' ', '');

describe.each(deskAndPhone)('two-step login (%s)', (size, options) => {
  it('is set up, needs a code at the next login, and accepts a recovery code', async () => {
    const { person, visitor, page } = await enter(options);

    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await look(visitor, `two-step-key-${size}`);
    const secret = await readSecret(page);
    await page.getByRole('textbox', { name: 'Code' }).fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).waitFor();
    await look(visitor, `two-step-codes-${size}`);
    const recoveryCode = await page
      .getByRole('listitem')
      .filter({ hasText: /^\w{4}-/ })
      .first()
      .innerText();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('Recovery codes left: 8').waitFor();
    await look(visitor, `two-step-on-${size}`);
    await emailOf(person, 'LendTools: your logins need a code now');

    const other = await openBrowser(browser, options);
    await other.goTo('/user-login');
    await other.page.getByLabel('Email').fill(person.email);
    await other.page.getByRole('textbox', { name: /^Password/ }).fill(person.password);
    await other.page.getByRole('button', { name: 'Login' }).click();
    await other.page.getByRole('heading', { name: 'One more step' }).waitFor();
    await look(other, `two-step-login-${size}`);
    await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.page.getByLabel('Recovery code').fill(recoveryCode);
    await other.page.getByRole('button', { name: 'Login' }).click();
    await other.page.waitForURL('**/user/user-dashboard');
    await emailOf(person, 'LendTools: a recovery code was used');
    expect([...visitor.complaints, ...other.complaints]).toEqual([]);
  });
});

describe('where one is logged in', () => {
  it('lists another browser, and logs it out at once', async () => {
    const { person, visitor, page } = await enter({});
    const other = await openBrowser(browser, { touch: 390 });
    await other.goTo('/user-login');
    await logInOnScreen(other, person);
    const { body } = await api().post('/api/login', {
      body: { email: person.email, password: person.password },
    });

    await visitor.goTo('/user/security');
    await page.getByRole('button', { name: 'Log out all other devices' }).waitFor();
    await look(visitor, 'sessions-desk');
    await page.getByRole('button', { name: 'Log out all other devices' }).click();
    await page.getByRole('button', { name: 'Log them out' }).click();

    await page.getByText('All other devices are logged out.').waitFor();
    const path = `/api/user/${person.id}/sessions`;
    await waitFor('the other token to be rejected', async () => {
      const { status } = await api().get(path, { token: body.token });
      return status === 401;
    });
    await other.goTo('/user/my-bookings');
    await other.page.getByRole('button', { name: 'Login' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
