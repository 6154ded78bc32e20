import { useState } from 'react';
import { inPage, inTab, keep, readKept } from './kept.ts';
import { isPickUp, type PickUp } from './pick-up.ts';

type Typed = string | number | PickUp;

/** Keeps only the given fields, and only values of a type that a field can have. */
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

interface Kept<V> {
  typed: Partial<V>;
  /** The stored values of these fields when they were edited. */
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

/** The draft's values, each merged with a change that was saved elsewhere since. */
function readTyped<V extends object>(key: string, stored: V, { typed, merges }: Fields<V>) {
  const kept = readKept<Kept<V>>(key, inTab);
  // A draft stored by the previous release consists of the values only.
  const values = typedOf<V>(kept?.typed ?? ((kept ?? {}) as Partial<V>), typed);
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

interface Chosen<V> {
  /** The stored values when the files were chosen. The files are dropped if these differ from the current ones. */
  stored: string;
  values: Partial<V>;
}

/**
 * Restores a form after it was left or the page was reloaded. Fields that were not edited show what is stored now. The
 * `typed` fields are listed explicitly, so that a password is never among them. The `chosen` files can't be stored, so
 * they last until the page is reloaded.
 */
export function useFormDraft<V extends object>(name: string, stored: V, fields: Fields<V>) {
  const { typed, chosen } = fields;
  const key = `form:${name}`;
  const storedChoice = JSON.stringify(chosen.map((field) => stored[field]));
  const [found] = useState(() => {
    const kept = inPage.get(key) as Chosen<V> | undefined;
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
  const forget = () => {
    keep(key, null, inTab);
    inPage.delete(key);
    setIsRestored(false);
  };
  return {
    initial: { ...stored, ...found },
    isRestored,
    /** True after a reload, which loses the chosen files. */
    lacksChosen: isRestored && !hasChosen,
    keep: keepValues,
    forget,
  };
}
