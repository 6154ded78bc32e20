import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconSignRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../ui/page-states.tsx';

/** Shown at the URLs of an unrelated business that once used this site. */
export default function MovedPage() {
  return (
    <>
      <title>This page is gone · LendTools</title>
      <EmptyState
        icon={IconSignRight}
        title="This page is gone"
        order={1}
        action={
          <Button component={Link} to={paths.home} mt="xs">
            Browse tools
          </Button>
        }
      >
        It is no longer part of LendTools, but there are tools near you.
      </EmptyState>
    </>
  );
}
