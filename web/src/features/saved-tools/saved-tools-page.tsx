import * as paths from '@lendtools/contracts/pages';
import { Button, Text } from '@mantine/core';
import { IconHeart } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSavedToolsQuery } from '../../api/saved-tools-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import SaveButton from '../../ui/tool/save-button.tsx';
import { ToolCard, ToolCardSkeleton } from '../../ui/tool/tool-card.tsx';
import grid from '../../ui/tool/tool-grid.module.css';

export default function SavedToolsPage() {
  const { data: tools, error, refetch } = useSavedToolsQuery(useUser()?.id ?? '');
  return (
    <>
      <PageHeader title="Saved tools" />
      {!tools && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {tools?.length === 0 && (
        <EmptyState
          icon={IconHeart}
          title="Nothing saved yet"
          action={
            <Button component={Link} to={paths.dashboard} mt="xs">
              Find a tool
            </Button>
          }
        >
          Tap the heart on a tool, and it waits here for you.
        </EmptyState>
      )}
      <section className={grid.frame} aria-label="Saved tools">
        {!tools && !error && (
          <Text role="status" c="dimmed" mb="sm">
            loading data
          </Text>
        )}
        <div className={grid.grid}>
          {tools?.map((tool) => (
            <ToolCard
              key={tool.id}
              tool={tool}
              to={paths.ofId(paths.memberTool, tool.id)}
              corner={<SaveButton tool={tool} />}
            />
          ))}
          {!tools && !error && ['a', 'b', 'c', 'd'].map((key) => <ToolCardSkeleton key={key} />)}
        </div>
      </section>
    </>
  );
}
