import type { Tool } from '@lendtools/contracts';
import { IconMapPin } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { formatMoney } from '../../rental/format.ts';
import { placeWords } from '../../rental/place-words.ts';
import { RatingStars } from '../rating-stars.tsx';
import classes from './tool-card.module.css';
import { ToolPicture } from './tool-picture.tsx';

interface ToolCardProps {
  tool: Tool;
  to: string;
  /** Whether to load the picture at once, for the first row; other pictures load lazily. */
  eager?: boolean;
  isPicked?: boolean;
  /** Content over the picture, for example a save button. */
  corner?: ReactNode;
}

/** Uses plain elements: a page has twenty cards, and each Mantine component takes half a millisecond on a slow phone. */
export function ToolCard({ tool, to, eager = false, isPicked, corner }: ToolCardProps) {
  return (
    <article className={classes.card} data-picked={isPicked || undefined}>
      <ToolPicture tool={tool} eager={eager} className={classes.picture} />
      <div className={classes.body}>
        <Link to={to} className={classes.link}>
          <span className={classes.name}>{tool.name}</span>
        </Link>
        <div className={classes.place}>
          <IconMapPin size={14} aria-hidden />
          <span>{placeWords(tool)}</span>
        </div>
        <div className={classes.facts}>
          <span className={classes.price}>
            <b>{formatMoney(tool.price, true)}</b> <small>{tool.rental_circle}</small>
          </span>
          <RatingStars value={tool.rating} compact />
        </div>
        <span className={classes.rent} aria-hidden>
          {tool.item_status === 'Available' ? 'Rent tool' : 'Not available now'}
        </span>
      </div>
      <Suspense>{corner}</Suspense>
    </article>
  );
}

export function ToolCardSkeleton() {
  return (
    <div className={classes.card} aria-hidden>
      <div className={`skeleton ${classes.picture}`} />
      <div className={classes.body}>
        <div className={`skeleton ${classes.nameSkeleton}`} />
        <div className={`skeleton ${classes.placeSkeleton}`} />
        <div className={`skeleton ${classes.priceSkeleton}`} />
        <div className={`skeleton ${classes.rentSkeleton}`} />
      </div>
    </div>
  );
}
