import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { look } from '../src/look.ts';
import { admin, api, listTool, newVerifiedPerson } from '../src/people.ts';
import { hold, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each([
  ['phone', 390],
  ['desk', undefined],
] as const)('the site on a %s', (size, touch) => {
  it('hides a tool that a visitor reported, tells the owner why, and shows it again', async () => {
    const name = `Gift cards ${Date.now()}`;
    const [owner, renter] = await Promise.all([
      newVerifiedPerson({ first_name: 'Olive' }),
      newVerifiedPerson({ first_name: 'Rene' }),
    ]);
    const toolId = await listTool(owner, { name });
    const reports = await openBrowser(browser, { touch });
    await reports.goTo(`/rental-details?id=${toolId}`);

    await reports.page.getByRole('button', { name: 'Report this tool' }).click();
    await reports.page.getByRole('dialog').waitFor();
    await look(reports, `report-${size}`);
    await reports.page.getByLabel(/^Reason/).selectOption('It looks like a scam');
    await reports.page.getByLabel(/^What is wrong/).fill('He wants gift cards.');
    await reports.page.getByLabel(/^Your email/).fill(`anna-${Date.now()}@lendtools.test`);
    await reports.page.getByRole('button', { name: 'Send report' }).click();
    const number = await reports.page.getByText(/^R-\d+$/).innerText();

    const decides = await openBrowser(browser, { touch });
    await enterAs(decides, await admin());
    await decides.goTo(`/admin/reports?person=${owner.id}`);
    await decides.page.getByText('He wants gift cards.').waitFor();
    await look(decides, `reports-${size}`);
    await decides.page.getByRole('button', { name: `Decide: ${number}` }).click();
    await decides.page.getByLabel('Decision').selectOption('Hide it');
    await decides.page.getByText('Scam', { exact: true }).click();
    await look(decides, `report-decide-${size}`);
    await decides.page.getByRole('button', { name: 'Decide and answer' }).click();

    const owns = await openBrowser(browser, { touch });
    await enterAs(owns, owner);
    await waitFor('the tool to be hidden', async () => {
      const { status } = await api().get(`/api/get-tool/${toolId}`, renter);
      return status === 404;
    });
    await owns.goTo(`/user/my-tool-details?id=${toolId}`);
    await owns.page.getByRole('alert', { name: 'Hidden by LendTools' }).waitFor();
    await look(owns, `tool-hidden-${size}`);
    await waitFor('holds to be rejected', async () => {
      const { status } = await hold(renter, [line(toolId)]);
      return status === 409;
    });

    await decides.page.getByRole('button', { name: `Decide again: ${number}` }).click();
    await decides.page.getByText('Shown again', { exact: true }).click();
    await decides.page.getByRole('button', { name: 'Decide and answer' }).click();
    await waitFor('the tool to be shown', async () => {
      const { status } = await api().get(`/api/get-tool/${toolId}`, renter);
      return status === 200;
    });
    expect([...reports.complaints, ...decides.complaints, ...owns.complaints]).toEqual([]);
  });
});
