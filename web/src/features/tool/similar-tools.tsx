import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Title } from '@mantine/core';
import { useUser } from '../../api/session-slice.ts';
import { ToolCard } from '../../ui/tool/tool-card.tsx';
import classes from './tool-page.module.css';
import { useSimilarToolsQuery } from './tool-page-api.ts';

export function SimilarTools({ tool }: { tool: Tool }) {
  const { id, categoryId, category } = tool;
  const { data: tools } = useSimilarToolsQuery({ id, categoryId });
  const base = useUser() ? paths.memberTool : paths.tool;
  if (!tools?.length) return null;
  return (
    <section>
      <Title order={2} mb="md">
        Available in {category.name}
      </Title>
      <div className={classes.similar}>
        {tools.map((similar) => (
          <ToolCard key={similar.id} tool={similar} to={`${base}?id=${similar.id}`} />
        ))}
      </div>
    </section>
  );
}
