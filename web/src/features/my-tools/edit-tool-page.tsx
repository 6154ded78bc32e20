import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Alert, Box, Skeleton, Stack } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useToolQuery } from '../../api/tool-api.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import HiddenTool from '../../ui/tool/hidden-tool.tsx';
import { useUpdateToolMutation } from './my-tools-api.ts';
import { ToolForm } from './tool-form.tsx';

const unnamed = { data: { message: 'This link is missing its tool.' } };

/** Keeps the version that the form was opened with, even after a push, so that the server rejects a stale edit. */
function EditTool({ tool, reload }: { tool: Tool; reload: () => Promise<Tool | undefined> }) {
  const [opened, setOpened] = useState({ tool, nth: 1 });
  const [updateTool] = useUpdateToolMutation();
  const navigate = useNavigate();
  const reopen = async () => {
    const newest = await reload();
    if (newest) setOpened(({ nth }) => ({ tool: newest, nth: nth + 1 }));
  };
  const save = async (form: FormData, onSaved: () => void) => {
    const { data, error } = await updateTool({ tool: opened.tool, form });
    if (!data) return error;
    onSaved();
    toastSuccess(data.message);
    await navigate(paths.myTools);
  };
  return (
    <>
      {tool.hiddenReason !== undefined ? (
        <Box mb="md" maw={760}>
          <HiddenTool reason={tool.hiddenReason} />
        </Box>
      ) : (
        tool.item_status === 'Unavailable' && (
          <Alert color="orange" mb="md" maw={760}>
            This tool is not listed at the moment. Saving it lists it again.
          </Alert>
        )
      )}
      <ToolForm
        key={opened.nth}
        tool={opened.tool}
        submitLabel="Update tool"
        busyLabel="Updating…"
        onSave={save}
        onReload={() => void reopen()}
      />
    </>
  );
}

export default function EditToolPage() {
  const [search] = useSearchParams();
  const id = search.get('id');
  const { data: tool, error, refetch } = useToolQuery(id ?? skipToken);
  return (
    <>
      <PageHeader title="My Tool details" back={{ to: paths.myTools, label: 'My Tools' }} />
      {tool && <EditTool key={tool.id} tool={tool} reload={async () => (await refetch()).data} />}
      {!tool && (error || !id) && (
        <ErrorState error={error ?? unnamed} onRetry={id ? () => void refetch() : undefined} />
      )}
      {!tool && id && !error && (
        <Stack maw={760} aria-hidden>
          <Skeleton h={64} />
          <Skeleton h={140} />
          <Skeleton h={64} />
          <Skeleton h={280} />
        </Stack>
      )}
    </>
  );
}
