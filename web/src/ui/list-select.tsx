import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useBackEntry } from '../lib/use-back-closes.ts';

/** A list of which one is chosen. Back closes it: on a phone it covers the form, and who wants it gone must not lose that. */
export function ListSelect(props: SelectProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useBackEntry(isOpen, close);
  return (
    <Select
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={close}
    />
  );
}
