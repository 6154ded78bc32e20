import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { admin, newPerson } from '../src/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each(deskAndPhone)('the site on a %s', (size, options) => {
  it('makes a user a support admin, who sees only their work, and records both', async () => {
    const name = `Sue${randomUUID().slice(0, 6)}`;
    const person = await newPerson({ first_name: name });
    const boss = await openBrowser(browser, options);
    await enterAs(boss, await admin());

    await boss.goTo(`/admin/user-details?id=${person.id}`);
    await boss.page.getByRole('combobox', { name: 'Role' }).click();
    await boss.page.getByRole('option', { name: 'Support' }).click();
    await boss.page.getByRole('button', { name: 'Change role' }).click();
    await boss.page.getByText(`${name} is Support now`).waitFor();

    const support = await openBrowser(browser, options);
    await enterAs(support, person);
    await support.goTo('/admin/disputes');
    await support.page.getByRole('heading', { name: 'Disputes: not for your role' }).waitFor();
    await look(support, `audit-not-for-role-${size}`);
    await support.goTo('/admin/admin-dashboard');
    const links = support.page.getByRole('link', { name: 'Reports', exact: true }).first();
    await links.waitFor({ state: 'attached' });
    expect(await support.page.getByRole('link', { name: 'Payouts', exact: true }).count()).toBe(0);

    await boss.page.getByRole('link', { name: `Audit log about ${name}` }).click();
    await boss.page.getByText('role: Support').waitFor();
    await look(boss, `audit-log-${size}`);
    const [file] = await Promise.all([
      boss.page.waitForEvent('download'),
      boss.page.getByRole('button', { name: 'CSV of these entries' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).toContain(`Changed a role or disabled an account,setUser,${person.id}`);
    expect([...boss.complaints, ...support.complaints]).toEqual([]);
  });
});
