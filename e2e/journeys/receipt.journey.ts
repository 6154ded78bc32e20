import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { fileSavedBy, textOfPdf } from '../src/downloads.ts';
import { mailsTo } from '../src/marketplace.ts';
import { listTool, newVerifiedPerson } from '../src/people.ts';
import { bookingsOf, buyAndCloseTheTab, line } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Books three days for $75.00. */
const book = async () => {
  const owner = await newVerifiedPerson({ first_name: 'Olive', last_name: 'Müller' });
  const toolId = await listTool(owner, { price: 25, name: 'Scaffold' });
  const renter = await newVerifiedPerson({ first_name: 'Zoë', last_name: 'Щёголева' });
  await buyAndCloseTheTab(renter, [line(toolId, 30, 33)]);
  await waitFor('the booking', async () => (await bookingsOf(renter)).length > 0);
  const [{ id }] = await bookingsOf(renter);
  return { renter, id: String(id) };
};

const pdfSavedBy = async (page: Page, button: RegExp) => {
  const { name, bytes } = await fileSavedBy(page, button);
  return { name, text: await textOfPdf(bytes) };
};

const attachedTo = (address: string, name: RegExp) =>
  waitFor(`an email with ${name}`, async () => {
    const files = (await mailsTo(address)).flatMap(({ attachments }) => attachments ?? []);
    const found = files.filter(({ fileName }) => name.test(fileName));
    return found.length > 0 && found.map(({ fileName }) => fileName);
  });

const sizes = [
  ['desk', {}],
  ['phone', { touch: 390 }],
] as const;

describe.each(sizes)('a renter (%s)', (size, options) => {
  it('opens the receipt after the purchase, cancels, and opens the credit note', async () => {
    const { renter, id } = await book();
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, renter);
    const { page, goTo, settle, shoot, complaints } = visitor;

    await goTo(`/user/my-rental-history-details?id=${id}`);
    await page.getByRole('link', { name: 'See the receipt' }).click();
    const paper = page.getByRole('article', { name: /^Receipt R-/ });
    await paper.getByText('Scaffold').waitFor();
    const number = /R-\w{4}-\w{4}/.exec(String(await paper.getAttribute('aria-label')))?.[0];
    await settle();
    await shoot(`receipt-${size}`);
    expect(await findFaultsByDayAndNight(page)).toEqual([]);
    const receipt = await pdfSavedBy(page, /^Download PDF/);
    expect(receipt.name).toBe(`lendtools-${number}.pdf`);
    for (const words of ['Zoë Щёголева', 'Olive Müller', '$25.00 × 3 days', 'Total paid $75.00'])
      expect(receipt.text).toContain(words);
    expect(await attachedTo(renter.email, /^receipt/)).toEqual([`receipt-${number}.pdf`]);

    await goTo(`/user/my-rental-history-details?id=${id}`);
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await dialog.getByRole('button', { name: 'Cancel booking' }).click();
    await page.getByText('Cancelled').first().waitFor();
    const [noteFile] = await attachedTo(renter.email, /^credit-note/);
    await page.getByRole('link', { name: 'See the receipt' }).click();
    const notes = page.getByRole('region', { name: 'Credit notes' });
    await notes.getByText('-$75.00').waitFor();
    await settle();
    await shoot(`credit-note-${size}`);
    expect(await findFaultsByDayAndNight(page)).toEqual([]);
    const note = await pdfSavedBy(page, /^PDF C-/);
    expect(`credit-note-${note.name.replace('lendtools-', '')}`).toBe(noteFile);
    expect(note.text).toContain('Total refunded $75.00');
    expect(note.text).toContain(`Receipt ${number}`);
    expect(complaints).toEqual([]);
  });
});
