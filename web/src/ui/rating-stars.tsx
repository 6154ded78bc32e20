import { Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import classes from './rating-stars.module.css';

interface RatingStarsProps {
  /** The rating from 0 to 5; 0 means no reviews yet. */
  value: number;
  count?: number;
  /** For a card: shows smaller stars, and the rating without the number of reviews. */
  compact?: boolean;
}

const choices = [1, 2, 3, 4, 5];
const starSize = 24;

/** One SVG for all five stars, because a page shows fifty of them. */
function FiveStars({ value }: { value: number }) {
  const row = choices.map((star) => (
    <IconStarFilled key={star} x={(star - 1) * starSize} size={starSize} />
  ));
  return (
    <svg
      viewBox={`0 0 ${5 * starSize} ${starSize}`}
      // Beside a price on a narrow card only the first star is shown.
      preserveAspectRatio="xMinYMid slice"
      className={classes.five}
      aria-hidden="true"
    >
      <g className={classes.none}>{row}</g>
      <svg className={classes.full} width={value * starSize} height={starSize} aria-hidden="true">
        {row}
      </svg>
    </svg>
  );
}

export function RatingStars({ value, count, compact = false }: RatingStarsProps) {
  const label = value > 0 ? `Rated ${value.toFixed(1)} of 5 stars` : 'Not rated yet';
  if (compact) {
    return (
      <span className={classes.compact} role="img" aria-label={label}>
        <FiveStars value={value} />
        <span aria-hidden>{value > 0 ? value.toFixed(1) : 'New'}</span>
      </span>
    );
  }
  return (
    <span className={classes.row} role="img" aria-label={label}>
      <FiveStars value={value} />
      {count !== undefined && (
        <Text component="span" size="sm" c="dimmed" aria-hidden>
          {value > 0 ? `${value.toFixed(1)} (${count})` : 'No reviews yet'}
        </Text>
      )}
    </span>
  );
}
