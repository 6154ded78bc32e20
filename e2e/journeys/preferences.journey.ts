import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { mailsTo, marketplace } from '../src/marketplace.ts';
import { api, listTool, newVerifiedPerson, type Person } from '../src/people.ts';
import { book, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const preferencesOf = async ({ id, token }: Person) =>
  (await api().get(`/api/user/${id}/preferences`, { token })).body.preferences;

/** The link in the footer of the email about a new booking. */
const unsubscribeLink = (person: Person): Promise<string> =>
  waitFor('the email about the booking', async () => {
    const texts = (await mailsTo(person.email)).map(({ text }) => text);
    return texts.map((text) => /\S+\/unsubscribe\?token=\S+/.exec(text)?.[0]).find(Boolean);
  });

describe.each(deskAndPhone)('the choice of emails (%s)', (size, options) => {
  it('is made in Settings, or by the link in an email without a login', async () => {
    const [owner, renter] = await Promise.all([
      newVerifiedPerson({ first_name: 'Olive' }),
      newVerifiedPerson({ first_name: 'Rene' }),
    ]);
    await book(renter, [line(await listTool(owner))]);

    const reads = await openBrowser(browser, options);
    const link = new URL(await unsubscribeLink(owner));
    await reads.goTo(link.pathname + link.search);
    await look(reads, `unsubscribe-${size}`);
    expect((await preferencesOf(owner)).emails.lending).toBe(true);
    await reads.page.getByRole('button', { name: 'Stop these emails' }).click();
    await reads.page.getByText('You get no more emails about bookings of your tools.').waitFor();
    await look(reads, `unsubscribed-${size}`);

    const owns = await openBrowser(browser, options);
    await enterAs(owns, owner);
    await owns.goTo('/user/my-profile');
    await owns.page.getByRole('link', { name: 'Emails and notifications' }).click();
    const lending = owns.page.getByRole('switch', { name: 'Email: Bookings of your tools' });
    await lending.waitFor();
    await look(owns, `preferences-${size}`);
    expect(await lending.isChecked()).toBe(false);
    await lending.press('Space');
    await owns.page.getByText('Emails about bookings of your tools are on.').waitFor();
    expect((await preferencesOf(owner)).emails.lending).toBe(true);

    // A mail program posts to the address of the page, without opening it.
    const { status } = await fetch(new URL(link.pathname + link.search, marketplace().site), {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(status).toBe(200);
    expect((await preferencesOf(owner)).emails.lending).toBe(false);
    expect([...reads.complaints, ...owns.complaints]).toEqual([]);
  });
});
