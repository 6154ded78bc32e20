/**
 * Regenerates `us-places.tsv`: `node services/accounts/data/extract-us-places-command.ts`. The service reads this
 * table because the package covers the whole world and needs 270 MB of memory once loaded.
 *
 * A line `AL<tab>Alabama` starts a state; the lines below it are its cities: name, latitude, longitude.
 */
import { writeFileSync } from 'node:fs';
import { City, State } from 'country-state-city';

const degrees = (text: string | null | undefined): string =>
  String(Number(Number(text).toFixed(4)));

/** A name repeats within a state where a county shares it with a town. Keeps the first. */
const citiesOf = (code: string): string[] => {
  const byName = new Map<string, string>();
  for (const { name, latitude, longitude } of City.getCitiesOfState('US', code)) {
    const key = name.trim().toLowerCase();
    if (latitude && longitude && !byName.has(key))
      byName.set(key, `${name.trim()}\t${degrees(latitude)}\t${degrees(longitude)}`);
  }
  return [...byName.values()].sort((a, b) => a.localeCompare(b, 'en'));
};

const sections = State.getStatesOfCountry('US')
  .filter(({ isoCode }) => /^[A-Z]{2}$/.test(isoCode))
  .map(({ isoCode, name }) => ({ isoCode, name, cities: citiesOf(isoCode) }))
  .filter(({ cities }) => cities.length > 0)
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  .map(({ isoCode, name, cities }) => [`${isoCode}\t${name}`, ...cities].join('\n'));

writeFileSync(new URL('us-places.tsv', import.meta.url), `${sections.join('\n')}\n`);
