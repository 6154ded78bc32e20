import * as paths from '@lendtools/contracts/pages';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';

interface Person {
  id: string;
  first_name: string;
  last_name: string;
}

export function PersonLink({ person }: { person: Person }) {
  const { id, first_name, last_name } = person;
  return (
    <Anchor component={Link} to={paths.ofId(paths.user, id)} inherit>
      {`${first_name} ${last_name}`.trim() || 'Unknown'}
    </Anchor>
  );
}
