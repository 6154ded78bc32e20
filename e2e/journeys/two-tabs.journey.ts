import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool, User } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { Browser, Locator } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser, openTab, type Visitor } from '../src/browser.ts';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import { daysAhead } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const storedTool = async (id: string, { token }: Person): Promise<Tool> =>
  (await api().get(`/api/get-tool/${id}`, { token })).body.tool[0];

const storedProfile = async ({ email, token }: Person): Promise<User> =>
  (await api().get(`/api/get-user-by-email/${email}`, { token })).body.user;

const waitForProfile = (person: Person, expected: Partial<User>) =>
  waitFor('the profile to be saved', async () => {
    const stored = await storedProfile(person);
    return Object.entries(expected).every(
      ([field, value]) => stored[field as keyof User] === value,
    );
  });

const editPath = (toolId: string) => `/user/my-tool-details?id=${toolId}`;

const fieldOf = ({ page }: Visitor, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true });

const buttonOf = ({ page }: Visitor, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

const rejectionOf = ({ page }: Visitor): Locator =>
  page.getByRole('alert').filter({ hasText: 'was changed elsewhere since you opened it' });

const look = async ({ page, shoot, settle }: Visitor, name: string) => {
  await settle();
  await shoot(name);
  expect({ name, faults: await findFaultsByDayAndNight(page) }).toEqual({ name, faults: [] });
};

/** Delays the tab's edits of tools until the returned function is called. */
const holdToolEdits = async ({ page }: Visitor): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/update-rental/*', async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

describe.each([
  ['on a phone', 'phone', 390],
  ['at a desk', 'desk', undefined],
] as const)('the app in two tabs of one browser, %s', (_, size, touch) => {
  const press = (target: Locator): Promise<void> => (touch ? target.tap() : target.click());

  const openTwoTabs = async (person: Person, paths: [string, string]) => {
    const first = await openBrowser(browser, { touch });
    await enterAs(first, person);
    const second = await openTab(first.context);
    await Promise.all([first.goTo(paths[0]), second.goTo(paths[1])]);
    return { first, second };
  };

  /** Saves a form whose data the other tab has changed. A message must offer to load the form again. */
  const expectRejection = async (tab: Visitor, save: string, picture: string) => {
    await tab.page.bringToFront();
    const [reply] = await Promise.all([
      tab.page.waitForResponse((response) => response.request().method() === 'PUT'),
      press(buttonOf(tab, save)),
    ]);
    expect(reply.status()).toBe(412);
    const rejection = rejectionOf(tab);
    await rejection.waitFor();
    expect(await rejection.innerText()).toContain('What you changed here stays in the form.');
    await look(tab, `${picture}-${size}`);
  };

  /** Loads the newest version into the form, which must keep its draft. */
  const loadAgain = async (tab: Visitor, picture: string) => {
    await press(buttonOf(tab, 'Load it again'));
    await rejectionOf(tab).waitFor({ state: 'detached' });
    await buttonOf(tab, 'Discard draft').waitFor();
    await look(tab, `${picture}-${size}`);
  };

  it('saves the edits of both tabs to one tool', async () => {
    const owner = await newPerson();
    const toolId = await listTool(owner, { name: 'Hammer drill' });
    const path = editPath(toolId);
    const { first, second } = await openTwoTabs(owner, [path, path]);
    await fieldOf(second, 'Name').fill('Rotary hammer');
    await first.page.bringToFront();
    await fieldOf(first, 'Description').fill('With ten bits and a case.');
    await press(buttonOf(first, 'Update tool'));
    await first.page.waitForURL('**/user/my-rentals');

    await expectRejection(second, 'Update tool', 'edited-tool');

    const afterRejection = await storedTool(toolId, owner);
    expect(afterRejection).toMatchObject({
      name: 'Hammer drill',
      description: 'With ten bits and a case.',
    });
    await loadAgain(second, 'edited-tool-again');
    expect(await fieldOf(second, 'Name').inputValue()).toBe('Rotary hammer');
    expect(await fieldOf(second, 'Description').inputValue()).toBe('With ten bits and a case.');
    await press(buttonOf(second, 'Update tool'));
    await second.page.waitForURL('**/user/my-rentals');
    const saved = await storedTool(toolId, owner);
    expect(saved).toMatchObject({
      name: 'Rotary hammer',
      description: 'With ten bits and a case.',
    });
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('keeps a new address when the other tab saves a profile that it opened before', async () => {
    const oldAddress = '12 Congress Avenue';
    const edited = { address: '1 New Street', phone: '+1 512 555 0177' };
    const person = await newPerson({ address: oldAddress });
    const path = '/user/my-profile';
    const { first, second } = await openTwoTabs(person, [path, path]);
    await fieldOf(second, 'Phone').fill(edited.phone);
    await first.page.bringToFront();
    await fieldOf(first, 'Address').fill(edited.address);
    await press(buttonOf(first, 'Update Account'));
    await waitForProfile(person, { address: edited.address });
    expect(await fieldOf(second, 'Address').inputValue()).toBe(oldAddress);

    await expectRejection(second, 'Update Account', 'edited-profile');

    const afterRejection = await storedProfile(person);
    expect(afterRejection).toMatchObject({ address: edited.address, phone: person.phone });
    await loadAgain(second, 'edited-profile-again');
    expect(await fieldOf(second, 'Address').inputValue()).toBe(edited.address);
    expect(await fieldOf(second, 'Phone').inputValue()).toBe(edited.phone);
    await press(buttonOf(second, 'Update Account'));
    await waitForProfile(person, edited);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('keeps two days that are blocked in quick succession, even if an older form is saved later', async () => {
    const owner = await newPerson();
    const toolId = await listTool(owner);
    const days = [daysAhead(30), daysAhead(34)];
    const calendar = `/user/my-calendar?from=${days[0]}`;
    const { first, second } = await openTwoTabs(owner, [calendar, editPath(toolId)]);
    await press(buttonOf(second, 'Availability and terms'));
    await fieldOf(second, 'Buffer').fill('2');
    const dayOf = (day: string) => first.page.locator(`[data-day="${day}"]`);
    const blocked = first.page.locator('[data-day][data-state="blocked"]');
    const waitForBothDays = () =>
      waitFor('both blocked days', async () => (await blocked.count()) === days.length);

    // Block the second day while the first request is under way. To block a single day, press it twice.
    await first.page.bringToFront();
    const release = await holdToolEdits(first);
    for (const day of days) {
      await press(dayOf(day));
      await press(dayOf(day));
    }
    release();

    await waitForBothDays();
    await look(first, `quick-blocks-${size}`);
    await first.page.reload();
    await waitForBothDays();
    await expectRejection(second, 'Update tool', 'edited-terms');
    await loadAgain(second, 'edited-terms-again');
    await press(buttonOf(second, 'Update tool'));
    await second.page.waitForURL('**/user/my-rentals');
    expect((await storedTool(toolId, owner)).terms).toEqual({
      staysListed: true,
      buffer: 2,
      blocked: days.map((day) => ({ from: day, to: day })),
    });
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });
});
