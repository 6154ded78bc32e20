import { roundPlace } from '@lendtools/contracts/places';
import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

/** The reader's location that this browser remembers, from its geolocation or from a ZIP code. */
export interface MyPlace {
  lat: number;
  lng: number;
  zip?: string;
}

const name = 'place';
/** Set when the reader removed the place on purpose, so that it is not looked up again automatically. */
const unwantedName = 'place-unwanted';
const listeners = new Set<() => void>();

let lastText = 'null';
let last: MyPlace | null = null;

const isPlace = (kept: MyPlace | null): kept is MyPlace =>
  Number.isFinite(kept?.lat) && Number.isFinite(kept?.lng);

/** Returns the same object until the place changes, as `useSyncExternalStore` requires. */
function snapshot(): MyPlace | null {
  const kept = readKept<MyPlace>(name);
  const text = JSON.stringify(kept);
  if (text !== lastText) {
    lastText = text;
    // Places stored before rounding was introduced are more exact.
    last = isPlace(kept) ? { ...kept, ...roundPlace(kept) } : null;
  }
  return last;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab changed the place.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function change(place: MyPlace | null, isUnwanted: true | null): void {
  keep(name, place);
  keep(unwantedName, isUnwanted);
  for (const listener of listeners) listener();
}

/**
 * Stores the place until logout, rounded to half a mile: enough to find tools by, without revealing the reader's home
 * to the server or to this browser. Null deletes it and records that the reader wants none.
 */
export const rememberPlace = (place: MyPlace | null): void =>
  change(place && { ...place, ...roundPlace(place) }, place ? null : true);

/** Deletes the place, or the mark that the reader wants none, for the next user of this browser. */
export const dropPlace = (): void => change(null, null);

export const isPlaceUnwanted = (): boolean => readKept(unwantedName) === true;

export const useRememberedPlace = () => useSyncExternalStore(subscribe, snapshot);
