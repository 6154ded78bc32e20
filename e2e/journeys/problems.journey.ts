import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { admin, api, listTool, newVerifiedPerson } from '../src/people.ts';
import { book, letItEnd, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const look = async ({ page, shoot, settle }: Visitor, name: string) => {
  await settle();
  await shoot(name);
  expect({ name, faults: await findFaultsByDayAndNight(page) }).toEqual({ name, faults: [] });
};

const rent = async (name: string, card?: string) => {
  const [owner, renter] = await Promise.all([
    newVerifiedPerson({ first_name: 'Olive' }),
    newVerifiedPerson({ first_name: 'Rene' }),
  ]);
  const toolId = await listTool(owner, { name });
  return { owner, renter, ...(await book(renter, [line(toolId)], card)) };
};

describe.each([
  ['phone', 390],
  ['tablet', 820],
  ['desk', undefined],
] as const)('the site on a %s', (size, touch) => {
  it('completes a booking after its renter reports a problem and an admin settles it', async () => {
    const name = `Tile saw ${Date.now()}`;
    const { renter, id, booking_code } = await rent(name);
    const rents = await openBrowser(browser, { touch });
    await enterAs(rents, renter);
    const decides = await openBrowser(browser, { touch });
    await enterAs(decides, await admin());

    await letItEnd(booking_code, 1);
    await rents.goTo(`/user/my-rental-history-details?id=${id}`);
    await rents.page.getByText(/^Completes by itself on .*, unless a problem/).waitFor();
    await rents.page.getByRole('button', { name: 'Report a problem' }).click();
    await rents.page.getByRole('textbox', { name: /^What is wrong/ }).fill('The blade is bent.');
    await look(rents, `problem-report-${size}`);
    await rents.page.getByRole('button', { name: 'Send report' }).click();
    await rents.page.getByRole('alert', { name: 'You have reported a problem' }).waitFor();
    await rents.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await look(rents, `problem-reported-${size}`);
    await letItEnd(booking_code, 50);

    await decides.goTo('/admin/problems');
    const settle = decides.page.getByRole('button', { name: `Settle: ${name}, ${booking_code}` });
    await settle.waitFor();
    await decides.page.getByText('The blade is bent.').first().waitFor();
    await look(decides, `problems-${size}`);
    await settle.click();
    await decides.page.getByRole('textbox', { name: /^Note/ }).fill('Olive replaces the blade.');
    await look(decides, `problem-settle-${size}`);
    await decides.page.getByRole('dialog').getByRole('button', { name: 'Settle' }).click();
    await settle.waitFor({ state: 'detached' });

    await rents.page.getByText(/LendTools wrote: “Olive replaces the blade.”/).waitFor();
    await rents.page.getByText('Completed', { exact: true }).waitFor();
    await look(rents, `problem-settled-${size}`);
    expect([...rents.complaints, ...decides.complaints]).toEqual([]);
  });

  it('shows an admin a dispute with its deadline', async () => {
    const name = `Band saw ${Date.now()}`;
    const { booking_code } = await rent(name, 'pm_card_createDispute');
    const boss = await admin();
    const { answerBy } = await waitFor('the dispute', async () => {
      const { body } = await api().get('/api/admin/disputes?when=open&limit=50', boss);
      const all: { answerBy: string; bookings: { booking_code: string }[] }[] = body.disputes;
      return all.find(({ bookings }) => bookings[0]?.booking_code === booking_code);
    });
    const decides = await openBrowser(browser, { touch });
    await enterAs(decides, boss);

    await decides.goTo('/admin/disputes');
    const row = decides.page.getByRole('row').filter({ hasText: name });
    await row.waitFor();

    const due = await decides.page.evaluate(
      (at) =>
        new Intl.DateTimeFormat('en-US', {
          month: 'short',
          day: 'numeric',
          hour: 'numeric',
          minute: '2-digit',
        }).format(new Date(at)),
      answerBy,
    );
    expect(await row.innerText()).toContain(due);
    expect(await row.innerText()).toContain('Needs evidence');
    await look(decides, `disputes-${size}`);
    expect(decides.complaints).toEqual([]);
  });
});
