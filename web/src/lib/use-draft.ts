import { useState } from 'react';
import { keep, readKept } from './kept.ts';

/** The names of the drafts that more than one screen writes. */
export function questionDraft(userId: string, toolId: string) {
  return `question:${userId}:${toolId}`;
}
export function messageDraft(userId: string, threadId: string) {
  return `message:${userId}:${threadId}`;
}

/** Appends to the draft of a form that is not on the screen. */
export function addToDraft(name: string, text: string): void {
  const before = readKept<string>(`draft:${name}`);
  keep(`draft:${name}`, before ? `${before}\n\n${text}` : text);
}

/** Moves a draft to the end of another one. Returns whether there was one. */
export function moveDraft(from: string, to: string): boolean {
  const text = readKept<string>(`draft:${from}`);
  if (!text) return false;
  keep(`draft:${from}`, null);
  addToDraft(to, text);
  return true;
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
