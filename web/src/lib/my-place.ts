import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

/** Where the reader is, as this browser remembers it: the location that was asked for once, or a ZIP code. */
export interface MyPlace {
  lat: number;
  lng: number;
  zip?: string;
}

const name = 'place';
const listeners = new Set<() => void>();

/** For a browser that keeps nothing. */
let inMemory: MyPlace | null = null;
let lastText = 'null';
let last: MyPlace | null = null;

const isPlace = (kept: MyPlace | null): kept is MyPlace =>
  Number.isFinite(kept?.lat) && Number.isFinite(kept?.lng);

/** The same object as long as it is the same place. */
function snapshot(): MyPlace | null {
  const kept = readKept<MyPlace>(name) ?? inMemory;
  const text = JSON.stringify(kept);
  if (text !== lastText) {
    lastText = text;
    last = isPlace(kept) ? kept : null;
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

/** A hundred yards are enough to find tools by, and say less of who searches. */
const coarse = (degrees: number) => Number(degrees.toFixed(3));

/** Remembers the place until the logout; null forgets it. */
export function rememberPlace(place: MyPlace | null): void {
  const rounded = place && { ...place, lat: coarse(place.lat), lng: coarse(place.lng) };
  keep(name, rounded);
  inMemory = readKept(name) ? null : rounded;
  for (const listener of listeners) listener();
}

export const useRememberedPlace = () => useSyncExternalStore(subscribe, snapshot);
