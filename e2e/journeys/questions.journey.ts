import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser, pickDates } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { listTool, newVerifiedPerson } from '../src/people.ts';
import { bookingsOf, buyAndCloseTheTab, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each(deskAndPhone)('a question before a booking (%s)', (size, options) => {
  it('goes from the tool’s page to the booking, and shows contact details once it is paid', async () => {
    const [owner, renter] = await Promise.all([
      newVerifiedPerson({ first_name: 'Olive' }),
      newVerifiedPerson({ first_name: 'Rene' }),
    ]);
    const toolId = await listTool(owner, { name: 'Tile saw' });
    const lends = await openBrowser(browser, options);
    const rents = await openBrowser(browser, options);
    await enterAs(lends, owner);
    await enterAs(rents, renter);
    await lends.goTo('/user/messages');
    await lends.page.getByText('No messages yet').waitFor();
    await look(lends, `messages-empty-${size}`);

    await rents.goTo(`/user/rental-details?id=${toolId}`);
    await rents.page.getByRole('link', { name: 'Ask Olive a question' }).click();
    await rents.page
      .getByRole('textbox', { name: 'Your question' })
      .fill('Is it heavy? 503 555 0123');
    await look(rents, `question-new-${size}`);
    await rents.page.getByRole('button', { name: 'Send to Olive' }).click();
    await rents.page.getByText('Is it heavy? [hidden]').waitFor();
    await look(rents, `question-sent-${size}`);

    // The owner's list shows the question without a reload, and leads to it.
    const row = lends.page.getByRole('link', { name: /Rene · Tile saw/ });
    await row.waitFor();
    await look(lends, `messages-${size}`);
    await row.click();
    await lends.page.getByRole('button', { name: 'Offer dates' }).waitFor();
    await lends.page.getByRole('button', { name: 'Offer dates' }).click();
    await pickDates(lends.page, 2, 4);
    await look(lends, `question-offer-${size}`);
    await lends.page.getByRole('button', { name: 'Send the offer' }).click();
    await rents.page.getByText('Dates offered').waitFor();
    await look(rents, `question-offered-${size}`);
    await lends.page.getByRole('button', { name: 'Decline' }).click();
    await lends.page.getByRole('textbox', { name: 'The reason' }).fill('It breaks down.');
    await look(lends, `question-decline-${size}`);
    await lends.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await rents.page.getByText('It breaks down.').first().waitFor();
    await look(lends, `question-declined-${size}`);

    // The renter books all the same: the open conversation becomes that of the booking.
    await buyAndCloseTheTab(renter, [line(toolId, 2, 4)]);
    const [booking] = await waitFor('the booking', async () => {
      const booked = await bookingsOf(renter);
      return booked.length > 0 && booked;
    });
    await rents.page.waitForURL(`**/user/my-rental-history-details?id=${booking.id}#messages`);
    await rents.page.getByText('Is it heavy? 503 555 0123').waitFor();
    await look(rents, `question-booked-${size}`);
    await lends.page.waitForURL(`**/user/my-bookings-details?id=${booking.id}#messages`);
    await lends.page.getByText('Is it heavy? 503 555 0123').waitFor();
  });
});
