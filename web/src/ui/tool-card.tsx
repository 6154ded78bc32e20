import type { Tool } from '@lendtools/contracts';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { placeWords } from '../lib/place-words.ts';
import { mayWrap, Price } from './price.tsx';
import { RatingStars } from './rating-stars.tsx';
import classes from './tool-card.module.css';
import { ToolPicture } from './tool-picture.tsx';

interface ToolCardProps {
  tool: Tool;
  to: string;
  /** The first row is fetched at once, the rest as it comes near. */
  eager?: boolean;
}

/** A tool in a grid: the whole card is one link. */
export function ToolCard({ tool, to, eager = false }: ToolCardProps) {
  return (
    <article className={classes.card}>
      <ToolPicture tool={tool} eager={eager} className={classes.picture} />
      <div className={classes.body}>
        <Link to={to} className={classes.link}>
          <Text component="span" className={classes.name} lineClamp={3}>
            {tool.name}
          </Text>
        </Link>
        <Group gap={4} c="dimmed" wrap="nowrap" className={classes.place}>
          <IconMapPin size={14} aria-hidden />
          <Text size="sm" truncate>
            {placeWords(tool)}
          </Text>
        </Group>
        <div className={classes.facts}>
          <Price amount={tool.price} circle={tool.rental_circle} style={mayWrap} />
          <RatingStars value={tool.rating} compact />
        </div>
        <span className={classes.rent} aria-hidden>
          Rent tool
        </span>
      </div>
    </article>
  );
}

/** A card that is on its way, in the card's own shape. */
export function ToolCardSkeleton() {
  return (
    <div className={classes.card} aria-hidden>
      <Skeleton className={classes.picture} radius={0} />
      <div className={classes.body}>
        <Skeleton h={18} w="80%" />
        <Skeleton h={14} w="45%" mt={4} />
        <Skeleton h={18} w="60%" mt={6} />
        <Skeleton h={36} mt={8} />
      </div>
    </div>
  );
}
