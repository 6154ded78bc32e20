import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { fileSavedBy, textOfPdf } from '../src/downloads.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { mailsTo } from '../src/marketplace.ts';
import { expectEarnings } from '../src/payouts.ts';
import { listTool, newVerifiedPerson } from '../src/people.ts';
import { book, letItEnd, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each(deskAndPhone)('an owner who sets up payouts (%s)', (size, options) => {
  const enter = async () => {
    const owner = await newVerifiedPerson({ first_name: 'Olive' });
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, owner);
    await visitor.goTo('/user/my-rentals');
    return { owner, visitor, page: visitor.page };
  };
  const isReady = ({ page }: Visitor) =>
    page.getByRole('heading', { name: 'You’re ready to get paid' }).waitFor();

  it('is ready after Stripe’s form, and is notified', async () => {
    const { owner, visitor, page } = await enter();

    await page.getByRole('link', { name: 'Set up payouts' }).click();
    await page.getByRole('heading', { name: 'Get paid for what you lend' }).waitFor();
    await look(visitor, `get-paid-${size}`);
    await page.getByRole('button', { name: 'Set up payouts' }).click();
    await page.getByRole('button', { name: /they are verified/ }).click();

    await isReady(visitor);
    await look(visitor, `get-paid-ready-${size}`);
    await waitFor('the email', async () =>
      (await mailsTo(owner.email)).some(({ subject }) => subject === 'You’re ready to get paid'),
    );
    await page.getByRole('button', { name: 'Open your Stripe dashboard' }).click();
    await page.waitForURL('**/express/**');
    expect(visitor.complaints).toEqual([]);
  });

  it('lends, is paid after the rental, and downloads the statement', async () => {
    const { owner, visitor, page } = await enter();
    await page.getByRole('link', { name: 'Set up payouts' }).click();
    await page.getByRole('button', { name: 'Set up payouts' }).click();
    await page.getByRole('button', { name: /they are verified/ }).click();
    await isReady(visitor);
    // Two days for $34.00, less a commission of 10 %.
    const toolId = await listTool(owner, { price: 17, name: 'Log splitter' });
    const renter = await newVerifiedPerson({ first_name: 'Rene' });
    const { booking_code } = await book(renter, [line(toolId)]);
    await expectEarnings(owner, { onTheWayCents: 3_060, transferredCents: 0 });

    await page.getByRole('link', { name: 'See your earnings' }).click();
    await page.getByRole('region', { name: 'On the way' }).getByText('$30.60').waitFor();
    await page.getByText(/^The rental is not over: /).waitFor();
    await look(visitor, `earnings-on-the-way-${size}`);
    await letItEnd(booking_code, 50);
    // The notice about the transfer updates the page.
    await page.getByRole('region', { name: 'Paid', exact: true }).getByText('$30.60').waitFor();
    await page.getByText('$34.00 − $3.40 = $30.60').first().waitFor();
    await look(visitor, `earnings-paid-${size}`);

    const statement = await fileSavedBy(page, /^PDF statement of /);
    const month = new Date().toISOString().slice(0, 7);
    expect(statement.name).toBe(`lendtools-statement-${month}.pdf`);
    const text = await textOfPdf(statement.bytes);
    for (const words of ['Log splitter', booking_code, '$30.60']) expect(text).toContain(words);
    const csv = await fileSavedBy(page, /^CSV statement of /);
    expect(new TextDecoder().decode(csv.bytes)).toContain(booking_code);
    await waitFor('the email', async () =>
      (await mailsTo(owner.email)).some(({ subject }) => subject === 'We sent you $30.60'),
    );
    await visitor.goTo('/user/notifications');
    await page.getByRole('link', { name: /^We sent you \$30\.60 for Log splitter/ }).click();
    await page.waitForURL('**/user/earnings');
    expect(visitor.complaints).toEqual([]);
  });

  it('leaves the form unfinished, and continues later, even by an old link', async () => {
    const { visitor, page } = await enter();

    await page.getByRole('link', { name: 'Set up payouts' }).click();
    await page.getByRole('button', { name: 'Set up payouts' }).click();
    await page.waitForURL('**/setup/**');
    const oldLink = page.url();
    await page.getByRole('button', { name: 'Leave without finishing' }).click();
    await page.getByRole('heading', { name: 'You’re almost there' }).waitFor();
    await look(visitor, `get-paid-unfinished-${size}`);
    await visitor.goTo('/user/my-profile');
    await page.getByRole('link', { name: 'Continue at Stripe' }).press('Enter');
    await page.getByRole('button', { name: 'Continue at Stripe' }).press('Enter');
    await page.waitForURL('**/setup/**');
    await page.goto(oldLink);
    await page.getByRole('button', { name: /still verifies/ }).click();

    await page.getByRole('heading', { name: 'Stripe is checking your information' }).waitFor();
    await look(visitor, `get-paid-in-review-${size}`);
    expect(visitor.complaints).toEqual([]);
  });
});
