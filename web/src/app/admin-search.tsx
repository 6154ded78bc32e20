import * as paths from '@lendtools/contracts/pages';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import classes from './area.module.css';

/** Searches by a booking code, an email, a name, an id, or a Stripe id. */
export function AdminSearch() {
  const { pathname, search } = useLocation();
  const sought = pathname === paths.adminSearch ? (new URLSearchParams(search).get('q') ?? '') : '';
  const [typed, setTyped] = useState(sought);
  const [seen, setSeen] = useState(sought);
  if (sought !== seen) {
    setSeen(sought);
    setTyped(sought);
  }
  const navigate = useNavigate();
  const find = (event: FormEvent) => {
    event.preventDefault();
    const q = typed.trim();
    if (q) void navigate(`${paths.adminSearch}?${new URLSearchParams({ q })}`);
  };
  return (
    <search aria-label="Everything" className={classes.everything}>
      <form onSubmit={find}>
        <TextInput
          type="search"
          enterKeyHint="search"
          aria-label="Search everything"
          placeholder="Code, email, name, tool, id or Stripe id"
          maxLength={100}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
