import { useState } from 'react';
import { keep, readKept } from './kept.ts';

/** Form state that survives a reload, until it is cleared after sending. */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const key = `draft:${name}`;
  const [value, setValue] = useState(() => readKept<T>(key) ?? initial);
  const change = (next: T) => {
    setValue(next);
    keep(key, next === initial ? null : next);
  };
  return [value, change, () => keep(key, null)];
}
