import { roundPlace } from '@lendtools/contracts/places';
import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

/** Where the reader is, as this browser remembers it: the location that was asked for once, or a ZIP code. */
export interface MyPlace {
  lat: number;
  lng: number;
  zip?: string;
}

const name = 'place';
/** Kept once the place was forgotten on purpose: then it is not found out again unasked. */
const unwantedName = 'place-unwanted';
const listeners = new Set<() => void>();

let lastText = 'null';
let last: MyPlace | null = null;

const isPlace = (kept: MyPlace | null): kept is MyPlace =>
  Number.isFinite(kept?.lat) && Number.isFinite(kept?.lng);

/** The same object as long as it is the same place. */
function snapshot(): MyPlace | null {
  const kept = readKept<MyPlace>(name);
  const text = JSON.stringify(kept);
  if (text !== lastText) {
    lastText = text;
    // An earlier version kept it more exactly.
    last = isPlace(kept) ? { ...kept, ...roundPlace(kept) } : null;
  }
  return last;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab was told.
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
 * Remembers the place until the logout, to half a mile: this is enough to find tools by, and neither this browser nor the
 * server learns where the home is. Null forgets it, because the reader wants none.
 */
export const rememberPlace = (place: MyPlace | null): void =>
  change(place && { ...place, ...roundPlace(place) }, place ? null : true);

/** For the next person at this browser: nothing is known of them. */
export const dropPlace = (): void => change(null, null);

/** Whether the reader asked for their place to be forgotten. */
export const isPlaceUnwanted = (): boolean => readKept(unwantedName) === true;

export const useRememberedPlace = () => useSyncExternalStore(subscribe, snapshot);
