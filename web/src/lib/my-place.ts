import { roundPlace } from '@lendtools/contracts/places';
import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

/** The reader's place that this browser remembers, from geolocation or from a ZIP code. */
export interface MyPlace {
  lat: number;
  lng: number;
  zip?: string;
}

const name = 'place';
/** Records that the reader removed the place on purpose, so that it is not looked up again automatically. */
const unwantedName = 'place-unwanted';
const listeners = new Set<() => void>();

let lastText = 'null';
let last: MyPlace | null = null;

function isPlace(kept: MyPlace | null): kept is MyPlace {
  return Number.isFinite(kept?.lat) && Number.isFinite(kept?.lng);
}

/** The stored place. Returns the same object until the place changes, as `useSyncExternalStore` requires. */
function snapshot(): MyPlace | null {
  const kept = readKept<MyPlace>(name);
  const text = JSON.stringify(kept);
  if (text !== lastText) {
    lastText = text;
    last = isPlace(kept) ? kept : null;
  }
  return last;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
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

/** Rounds the place to half a mile, so as not to store the reader's home. Null records that the reader wants no place. */
export function rememberPlace(place: MyPlace | null): void {
  change(place && { ...place, ...roundPlace(place) }, place ? null : true);
}

/** Deletes the place, or the note that this user wants none, so that the browser's next user starts afresh. */
export function dropPlace(): void {
  change(null, null);
}

export function isPlaceUnwanted(): boolean {
  return readKept(unwantedName) === true;
}

export function useRememberedPlace() {
  return useSyncExternalStore(subscribe, snapshot);
}
