/**
 * Regenerates `us-zips.tsv` from the BSD-licensed package `zipcodes`, which this command downloads.
 * Run `node services/accounts/data/extract-us-zips-command.ts`.
 * A line is `97202<tab>45.484<tab>-122.637<tab>Portland<tab>OR`: the approximate center of the ZIP code, and its city.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Zip {
  zip: string;
  latitude: number;
  longitude: number;
  city: string;
  state: string;
  country: string;
}

const folder = mkdtempSync(path.join(tmpdir(), 'us-zips-'));
execFileSync('npm', ['pack', 'zipcodes@8.0.0', '--silent'], { cwd: folder });
execFileSync('tar', ['xzf', 'zipcodes-8.0.0.tgz'], { cwd: folder });
const unpacked = path.join(folder, 'package');
const zips = Object.values<Zip>(
  createRequire(import.meta.url)(path.join(unpacked, 'lib', 'codes.js')).codes,
);

const places = readFileSync(new URL('us-places.tsv', import.meta.url), 'utf8');
const states = new Set([...places.matchAll(/^([A-Z]{2})\t/gm)].map(([, code]) => code));
const isKnown = ({ zip, country, state, latitude, longitude }: Zip): boolean =>
  country === 'US' &&
  longitude < 0 &&
  /^\d{5}$/.test(zip) &&
  states.has(state) &&
  Boolean(latitude && longitude);

const degrees = (one: number): string => String(Number(one.toFixed(3)));
const lines = zips
  .filter(isKnown)
  .sort((a, b) => a.zip.localeCompare(b.zip))
  .map(({ zip, latitude, longitude, city, state }) =>
    [zip, degrees(latitude), degrees(longitude), city.trim(), state].join('\t'),
  );

writeFileSync(new URL('us-zips.tsv', import.meta.url), `${lines.join('\n')}\n`);
copyFileSync(path.join(unpacked, 'LICENSE'), new URL('us-zips-license.txt', import.meta.url));
