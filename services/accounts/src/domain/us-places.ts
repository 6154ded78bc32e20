import { readFileSync } from 'node:fs';

interface UsState {
  code: string;
  name: string;
}

interface Place {
  state: string;
  city: string;
  lat: number;
  lng: number;
}

const table = new URL('../../data/us-places.tsv', import.meta.url);

/** Normalizes a name for comparison: no accents, punctuation or capitals, and "Saint" as "St". */
const fold = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\bsaint\b/g, 'st')
    .replace(/[^a-z0-9]/g, '');

/** The US states and their cities, one string per state: 19,821 objects would take ten times the memory. */
export class UsPlaces {
  readonly states: UsState[] = [];
  readonly #citiesByCode = new Map<string, string>();

  constructor(text = readFileSync(table, 'utf8')) {
    for (const section of text.split(/^(?=[A-Z]{2}\t)/m)) {
      const end = section.indexOf('\n');
      const [code = '', name = ''] = section.slice(0, end).split('\t');
      this.states.push({ code, name });
      this.#citiesByCode.set(code, section.slice(end + 1).trimEnd());
    }
  }

  /** Returns the names of a state's cities in alphabetical order, or undefined for an unknown state. */
  citiesOf(code: string): string[] | undefined {
    return this.#lines(code.toUpperCase())?.map((line) => line.slice(0, line.indexOf('\t')));
  }

  findState(codeOrName: string): UsState | undefined {
    const folded = fold(codeOrName);
    return this.states.find(({ code, name }) => fold(code) === folded || fold(name) === folded);
  }

  /** Finds a city as people type it: "NY" and "new york" find New York City, New York. */
  find(stateCodeOrName: string, cityName: string): Place | undefined {
    const state = this.findState(stateCodeOrName);
    if (!state) return undefined;
    const cities = (this.#lines(state.code) ?? []).map((line) => {
      const [city = '', lat, lng] = line.split('\t');
      return { state: state.name, city, lat: Number(lat), lng: Number(lng) };
    });
    const typed = fold(cityName);
    const named = (name: string) => cities.find(({ city }) => fold(city) === name);
    return named(typed) ?? named(`${typed}city`);
  }

  #lines(code: string): string[] | undefined {
    return this.#citiesByCode.get(code)?.split('\n');
  }
}
