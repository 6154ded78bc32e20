import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useBackEntry } from '../lib/use-back-closes.ts';

/** A select whose list Back closes: on a phone the list covers the form, and Back must not leave the form. */
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
