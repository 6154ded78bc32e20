import type { ReportedKind } from '@lendtools/contracts';
import { ActionIcon, Button } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { useBackCloses } from '../../lib/use-back-closes.ts';
import { Part } from '../part.tsx';

const ReportDialog = lazy(() => import('./report-dialog.tsx'));

interface ReportButtonProps {
  about: ReportedKind;
  id: string;
  /** For example "this tool". */
  what: string;
  /** Shows only an icon, where there are many. */
  isSmall?: boolean;
}

/** Opens the dialog that reports something to LendTools. */
export default function ReportButton({ about, id, what, isSmall }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useBackCloses(isOpen, close);
  return (
    <>
      {isSmall ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          // It may stand in a line of text.
          style={{ verticalAlign: 'middle' }}
          aria-label={`Report ${what}`}
          onClick={() => setIsOpen(true)}
        >
          <IconFlag size={15} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconFlag size={16} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Report {what}
        </Button>
      )}
      {isOpen && (
        <Part>
          <ReportDialog about={about} id={id} what={what} onClose={close} />
        </Part>
      )}
    </>
  );
}
