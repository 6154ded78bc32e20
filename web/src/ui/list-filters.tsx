import { Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useAddressQuery } from '../lib/use-address-query.ts';

/** The filters of a list, in the address: a reload and a link keep them. */
export function useListFilters<Name extends string>(names: readonly Name[]) {
  const { query, changeQuery } = useAddressQuery();
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const set = (name: Name, value: string) =>
    changeQuery({ [name]: value }, { replace: true, preventScrollReset: true });
  return { filters, set };
}

/** As a call needs them: empty filters are not sent. */
export const withoutEmpty = (filters: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

const settleMs = 300;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onSettled: (words: string) => void;
}

/** Fetches when the typing pauses, not at each letter. */
export function SearchField({ label, placeholder, value, onSettled }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Something else has changed the address, such as the menu's link to this list.
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }
  // As of when it settles: another filter may have been chosen since the last letter.
  const settle = useEffectEvent(() => {
    if (typed.trim() === value) return;
    setSent(typed.trim());
    onSettled(typed.trim());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter starts the pause anew.
  useEffect(() => {
    const timer = setTimeout(() => settle(), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      type="search"
      maxLength={100}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps {
  label: string;
  /** Of the choice that narrows nothing. */
  all: string;
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

export function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: '', label: all }, ...options]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The fields of a list in one line, as far as there is room. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" mb="md" role="search">
      {children}
    </Group>
  );
}
