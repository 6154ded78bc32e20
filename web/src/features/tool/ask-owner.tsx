import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';

function loadDialog() {
  return import('./ask-dialog.tsx');
}

const AskDialog = lazy(loadDialog);

/** Leads a member to the conversation with the owner. A visitor writes first, and then signs up or logs in. */
export function AskOwner({ tool }: { tool: Tool }) {
  const isMember = useUser() !== null;
  const [isOpen, setIsOpen] = useState(false);
  const shared = { variant: 'default', size: 'sm' } as const;
  const label = `Ask ${tool.user.first_name} a question`;
  return (
    <>
      {isMember ? (
        <Button {...shared} component={Link} to={`${paths.conversation}?tool=${tool.id}`}>
          {label}
        </Button>
      ) : (
        <Button {...shared} {...whenNear(loadDialog)} onClick={() => setIsOpen(true)}>
          {label}
        </Button>
      )}
      <Part>{isOpen && <AskDialog tool={tool} onClose={() => setIsOpen(false)} />}</Part>
    </>
  );
}
