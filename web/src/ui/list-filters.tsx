import { Group, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useAddressQuery } from '../lib/use-address-query.ts';

/** The filters of a list, stored in the URL so that reloads and links keep them. */
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

export function withoutEmpty(filters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

const settleMs = 300;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onSettled: (words: string) => void;
}

/** Reports the text once typing pauses, not after each letter. */
export function SearchField({ label, placeholder, value, onSettled }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Show the text in the URL: it also changes without typing, for example by the menu's link to this list.
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }
  // An effect event, because a filter may have changed since the last letter was typed.
  const settle = useEffectEvent(() => {
    if (typed.trim() === value) return;
    setSent(typed.trim());
    onSettled(typed.trim());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter restarts the timer.
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
  /** The label of the option that turns this filter off. */
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

export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" mb="md" role="search">
      {children}
    </Group>
  );
}
