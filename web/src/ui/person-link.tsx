import * as paths from '@lendtools/contracts/pages';
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from 'react-router-dom';

interface PersonLinkProps extends AnchorProps {
  person: { id: string; first_name: string; last_name: string };
  name: string;
}

function isDeleted({ first_name, last_name }: PersonLinkProps['person']): boolean {
  return first_name === 'Deleted' && last_name === 'user';
}

/** Links a name to the person's page. Deleted users have none. */
export function PersonLink({ person, name, ...props }: PersonLinkProps) {
  if (isDeleted(person)) return name;
  return (
    <Anchor component={Link} to={paths.ofId(paths.person, person.id)} {...props}>
      {name}
    </Anchor>
  );
}
