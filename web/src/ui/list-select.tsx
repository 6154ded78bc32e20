import { type ComboboxItem, Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useBackEntry } from '../lib/use-back-closes.ts';

/** Lists the options that begin with the typed text before those that contain it: Portland before Newport for "port". */
const prefixesFirst: SelectProps['filter'] = ({ options, search, limit }) => {
  const typed = search.trim().toLowerCase();
  const rank = ({ label }: ComboboxItem) => {
    const at = label.toLowerCase().indexOf(typed);
    return Math.sign(at);
  };
  return (options as ComboboxItem[])
    .filter((option) => rank(option) >= 0)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, limit);
};

/** A select whose list Back closes: on a phone the list covers the form, and Back must not leave the form. */
export function ListSelect(props: SelectProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useBackEntry(isOpen, close);
  return (
    <Select
      filter={prefixesFirst}
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={close}
    />
  );
}
