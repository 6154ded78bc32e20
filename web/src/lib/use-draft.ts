import { useState } from 'react';
import { keep, readKept } from './kept.ts';

/** The names of the drafts that more than one screen writes. */
export function questionDraft(userId: string, toolId: string) {
  return `question:${userId}:${toolId}`;
}
export function messageDraft(userId: string, threadId: string) {
  return `message:${userId}:${threadId}`;
}

/** Stores a draft for the form that will show it. */
export function keepDraft(name: string, value: unknown): void {
  keep(`draft:${name}`, value);
}

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
