import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { tinyPng } from '../fuzz/values.ts';
import { findScreenFaults } from '../screens/screen-faults.ts';
import { closePages, launch, openBrowser } from '../src/browser.ts';
import { api, listTool, newPerson } from '../src/people.ts';

let browser: Browser;
const word = `Sousaphone${randomInt(1e9)}`;
beforeAll(async () => {
  browser = await launch();
  const owner = await newPerson({ first_name: 'Olive' });
  const near = (pickup_lat: number, pickup_lng: number) => ({ pickup_lat, pickup_lng });
  await listTool(owner, { name: `${word} one`, ...near(30.25, -97.75) });
  await listTool(owner, { name: `${word} two`, ...near(30.31, -97.7) });
  await listTool(owner, { name: `${word} three`, ...near(30.3102, -97.7001) });
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

describe.each([
  ['a desk', {}],
  ['a desk in the dark', { dark: true }],
  ['a phone', { touch: 390 }],
] as const)('the map at %s', (at, options) => {
  it('is beside a search, but on a phone only on request, and highlights the tools at a pressed marker', async () => {
    const { page, goTo, shoot, complaints } = await openBrowser(browser, options);
    const tiles: { url: string; from: string | undefined }[] = [];
    await page.route('https://tile.openstreetmap.org/**', async (route) => {
      tiles.push({
        url: route.request().url(),
        from: (await route.request().allHeaders()).referer,
      });
      await route.fulfill({ body: tinyPng, contentType: 'image/png' });
    });
    await goTo(`/home?q=${word}`);
    const toggle = page.getByRole('button', { name: 'Map', exact: true });
    await toggle.waitFor();
    if ('touch' in options) {
      expect(tiles).toEqual([]);
      await toggle.click();
    }
    const map = page.getByRole('region', { name: 'Map of these tools' });
    const pair = map.getByRole('button', { name: new RegExp(`^2 tools in .*${word}`) });
    await pair.waitFor();
    await waitFor('the tiles', async () => tiles.length > 0);
    await ('touch' in options ? pair.tap() : pair.click());

    const picked = page.locator('[data-picked]');
    await waitFor('the two tools', async () => (await picked.count()) === 2);
    expect((await picked.allTextContents()).join()).not.toContain(`${word} one`);
    expect(await map.getByRole('button', { name: `${word} one` }).count()).toBe(1);
    expect(tiles[0]?.url).toMatch(/^https:\/\/tile\.openstreetmap\.org\/\d+\/\d+\/\d+\.png$/);
    expect(tiles[0]?.from).toBe(`${new URL(page.url()).origin}/`);
    expect(await page.getByRole('link', { name: '© OpenStreetMap contributors' }).isVisible()).toBe(
      true,
    );
    expect(await findScreenFaults(page)).toEqual([]);
    await shoot(`map-${at.slice(2).replaceAll(' ', '-')}`);
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await toggle.getAttribute('aria-pressed')).toBe(String(!('touch' in options)));
    expect(complaints).toEqual([]);
  });
});

it('the API rounds the public positions of tools to half a mile', async () => {
  const { body } = await api().get(`/api/all-rentals?q=${word}`);
  const positions = body.rentals.map(({ position }: { position: object }) => position);

  expect(new Set(positions.map((one: object) => JSON.stringify(one))).size).toBe(2);
  expect(JSON.stringify(body)).not.toMatch(/30\.3102|30\.25,|97\.75[,}]/);
});
