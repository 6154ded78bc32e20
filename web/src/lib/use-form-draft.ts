import { useState } from 'react';
import { inTab, keep, readKept } from './kept.ts';
import { isPickUp, type PickUp } from './pick-up.ts';

type Typed = string | number | PickUp;

/** Only what was typed into these fields, and only what is of a kind that a field can have. */
function typedOf<V extends object>(values: Partial<V>, fields: readonly (keyof V)[]): Partial<V> {
  const typed: Partial<V> = {};
  for (const field of fields) {
    const value = values[field] as Typed | undefined;
    const isTyped = typeof value === 'string' || typeof value === 'number' || isPickUp(value);
    if (isTyped) typed[field] = value as never;
  }
  return typed;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * A form that begins with what was typed before a reload, field by field: what was not touched is as it is stored now. The
 * fields are named, so that a password is never among them.
 */
export function useFormDraft<V extends object>(
  name: string,
  stored: V,
  fields: readonly (keyof V)[],
) {
  const key = `form:${name}`;
  const [found] = useState(() => typedOf<V>(readKept<Partial<V>>(key, inTab) ?? {}, fields));
  const [isRestored, setIsRestored] = useState(() => Object.keys(found).length > 0);
  const keepTyped = (values: V) => {
    const changed = fields.filter((field) => !isSame(values[field], stored[field]));
    keep(key, changed.length > 0 ? typedOf<V>(values, changed) : null, inTab);
  };
  const forget = () => {
    keep(key, null, inTab);
    setIsRestored(false);
  };
  return { initial: { ...stored, ...found }, isRestored, keep: keepTyped, forget };
}
