import { useState } from 'react';
import { inPage, inTab, keep, readKept } from '../lib/kept.ts';
import { isPickUp, type PickUp } from '../rental/pick-up.ts';

type FieldValue = string | number | PickUp;

function typedOf<V extends object>(values: Partial<V>, fields: readonly (keyof V)[]): Partial<V> {
  const typed: Partial<V> = {};
  for (const field of fields) {
    const value = values[field] as FieldValue | undefined;
    const isTyped = typeof value === 'string' || typeof value === 'number' || isPickUp(value);
    if (isTyped) typed[field] = value as never;
  }
  return typed;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface StoredDraft<V> {
  typed: Partial<V>;
  /** The saved values of the edited fields from when the edit began. */
  base: Partial<V>;
}

/** Per field: how to merge an edit with a change that was saved elsewhere meanwhile. */
type Merges<V> = {
  [F in keyof V]?: (values: { base: V[F]; mine: V[F]; theirs: V[F] }) => V[F];
};

interface Fields<V> {
  typed: readonly (keyof V)[];
  chosen: readonly (keyof V)[];
  merges?: Merges<V>;
}

function readTyped<V extends object>(key: string, stored: V, { typed, merges }: Fields<V>) {
  const kept = readKept<StoredDraft<V>>(key, inTab);
  const values = typedOf<V>(kept?.typed ?? {}, typed);
  const base: Partial<V> = kept?.base ?? {};
  for (const field of typed) {
    const merge = merges?.[field];
    const isConflict = field in values && field in base && !isSame(base[field], stored[field]);
    if (merge && isConflict)
      values[field] = merge({
        base: base[field] as V[typeof field],
        mine: values[field] as V[typeof field],
        theirs: stored[field],
      });
  }
  return values;
}

interface ChosenFiles<V> {
  /** The stored values when the files were chosen; if these have changed, the files are dropped. */
  stored: string;
  values: Partial<V>;
}

/** Keeps a form's edits over a reload. Stores only the fields in `typed`, so that a password is never stored. */
export function useFormDraft<V extends object>(name: string, stored: V, fields: Fields<V>) {
  const { typed, chosen } = fields;
  const key = `form:${name}`;
  const storedChoice = JSON.stringify(chosen.map((field) => stored[field]));
  const [found] = useState(() => {
    const kept = inPage.get(key) as ChosenFiles<V> | undefined;
    const choice = kept?.stored === storedChoice ? kept.values : null;
    return { ...readTyped(key, stored, fields), ...choice };
  });
  const [isRestored, setIsRestored] = useState(() => Object.keys(found).length > 0);
  const [hasChosen] = useState(() => inPage.has(key));
  const keepValues = (values: V) => {
    const changed = (field: keyof V) => !isSame(values[field], stored[field]);
    const inForm = typed.filter(changed);
    const kept = { typed: typedOf<V>(values, inForm), base: typedOf<V>(stored, inForm) };
    keep(key, inForm.length > 0 ? kept : null, inTab);
    const files = chosen.filter(changed);
    if (inForm.length + files.length === 0) inPage.delete(key);
    else {
      const kept = Object.fromEntries(files.map((field) => [field, values[field]]));
      inPage.set(key, { stored: storedChoice, values: kept });
    }
  };
  const discard = () => {
    keep(key, null, inTab);
    inPage.delete(key);
    setIsRestored(false);
  };
  return {
    initial: { ...stored, ...found },
    isRestored,
    /** Whether the draft was restored without its chosen files, which a reload loses. */
    lacksChosen: isRestored && !hasChosen,
    keep: keepValues,
    discard,
  };
}
