import * as paths from '@lendtools/contracts/pages';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';

interface Person {
  id: string;
  first_name: string;
  last_name: string;
}

/** A link within a sentence must be underlined. */
export function PersonLink({ person, underline }: { person: Person; underline?: 'always' }) {
  const { id, first_name, last_name } = person;
  return (
    <Anchor
      component={Link}
      to={paths.ofId(paths.user, id)}
      inherit
      {...(underline && { underline })}
    >
      {`${first_name} ${last_name}`.trim() || 'Unknown'}
    </Anchor>
  );
}
