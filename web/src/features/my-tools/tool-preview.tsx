import type { Tool } from '@lendtools/contracts';
import { Text, Title } from '@mantine/core';
import { useObjectUrl } from '../../lib/use-object-url.ts';
import { ToolCard } from '../../ui/tool/tool-card.tsx';
import classes from './my-tools.module.css';
import type { ToolValues } from './tool-form-values.ts';

/** What the card of a new tool shows in place of facts that only the server knows. */
const newTool = {
  item_status: 'Available',
  rating: 0,
  reviewCount: 0,
  distance: 0.8,
  placeAccuracy: 'area',
} as const;

interface ToolPreviewProps {
  tool: Tool | null;
  values: ToolValues;
}

/** The card that renters see in the search, with what is entered so far. Its link leads nowhere, so it is inert. */
export function ToolPreview({ tool, values }: ToolPreviewProps) {
  const [cover] = values.pictures;
  const chosen = useObjectUrl(cover instanceof File ? cover : null);
  const stored = cover && !(cover instanceof File) ? cover.path : 'null';
  const shown = {
    ...tool,
    ...newTool,
    ...(tool && { rating: tool.rating, reviewCount: tool.reviewCount }),
    name: values.name.trim() || 'Your tool',
    price: values.price || 0,
    rental_circle: values.rental_circle,
    cover_image: chosen ?? stored,
  } as Tool;
  return (
    <section className={classes.preview} aria-labelledby="preview">
      <Title order={2} size="h3" id="preview" mb="xs">
        As renters see it
      </Title>
      <div className={classes.card} inert>
        <ToolCard tool={shown} to="" eager />
      </div>
      <Text size="sm" className={classes.words}>
        {values.description.trim() || 'Your description appears on the tool’s page.'}
      </Text>
    </section>
  );
}
