import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { PageHeader } from '../../ui/page-header.tsx';
import { Browse } from './browse.tsx';

export default function UserDashboardPage() {
  return (
    <>
      <PageHeader
        title="Find a tool"
        intro="Borrow from a neighbor what you need only once."
        action={
          <Button
            component={Link}
            to={paths.addTool}
            variant="light"
            leftSection={<IconPlus size={18} />}
            visibleFrom="sm"
          >
            List a tool
          </Button>
        }
      />
      <Browse endless />
    </>
  );
}
