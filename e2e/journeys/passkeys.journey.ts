import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { mailsTo } from '../src/marketplace.ts';
import { newVerifiedPerson } from '../src/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Gives the tab a device that stores passkeys and confirms at once. */
const addDevice = async ({ context, page }: Visitor): Promise<void> => {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

/** A phone has the button in its menu, a desktop in the sidebar. */
const logOut = async (page: Page, size: string): Promise<void> => {
  if (size === 'phone') await page.getByRole('button', { name: 'Me', exact: true }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/user/'));
};

describe.each(deskAndPhone)('a passkey (%s)', (size, options) => {
  it('is added in Settings, and then logs in alone', async () => {
    const person = await newVerifiedPerson({ first_name: 'Pia' });
    const visitor = await openBrowser(browser, options);
    const { page } = visitor;
    await addDevice(visitor);
    await enterAs(visitor, person);
    await visitor.goTo('/user/security');

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('Not used yet').waitFor();
    await look(visitor, `passkeys-${size}`);
    await waitFor('the email about the passkey', async () =>
      (await mailsTo(person.email)).some(({ subject }) => subject.includes('a new passkey')),
    );

    await logOut(page, size);
    await visitor.goTo('/user-login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await look(visitor, `passkey-login-${size}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/user/user-dashboard');
    await visitor.goTo('/user/security');
    await page
      .getByRole('region', { name: 'Passkeys' })
      .getByText(/Last used/)
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
