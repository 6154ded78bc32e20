import { useState } from 'react';
import { keep, readKept } from './kept.ts';

/** The state of a form that is still there after a reload, until it is forgotten because it was sent. */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const key = `draft:${name}`;
  const [value, setValue] = useState(() => readKept<T>(key) ?? initial);
  const change = (next: T) => {
    setValue(next);
    keep(key, next === initial ? null : next);
  };
  return [value, change, () => keep(key, null)];
}
