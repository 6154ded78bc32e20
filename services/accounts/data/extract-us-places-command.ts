/**
 * Regenerates `us-places.tsv`. Run `node services/accounts/data/extract-us-places-command.ts`.
 * A line `AL<tab>Alabama` starts a state. Each line below is a city: name, latitude, longitude.
 * The service reads this table because the package `country-state-city` needs 270 MB of memory.
 */
import { writeFileSync } from 'node:fs';
import { City, State } from 'country-state-city';

const degrees = (text: string | null | undefined): string =>
  String(Number(Number(text).toFixed(4)));

/** A state may list a name twice, for a county and for a town; only the first entry is kept. */
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
