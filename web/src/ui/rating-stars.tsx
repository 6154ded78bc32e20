import { Rating, Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import classes from './rating-stars.module.css';

interface RatingStarsProps {
  /** 0 to 5; 0 means that nobody has reviewed yet. */
  value: number;
  count?: number;
  /** One star and the figure, for a card. */
  compact?: boolean;
}

/** A rating to read, in words for a screen reader. */
export function RatingStars({ value, count, compact = false }: RatingStarsProps) {
  const label = value > 0 ? `Rated ${value.toFixed(1)} of 5 stars` : 'Not rated yet';
  if (compact) {
    return (
      <span className={classes.compact} role="img" aria-label={label}>
        <IconStarFilled size={15} className={value > 0 ? classes.full : classes.none} aria-hidden />
        <span aria-hidden>{value > 0 ? value.toFixed(1) : 'New'}</span>
      </span>
    );
  }
  return (
    <span className={classes.row} role="img" aria-label={label}>
      <Rating
        value={value}
        fractions={10}
        readOnly
        aria-hidden
        emptySymbol={<IconStarFilled size={18} className={classes.none} />}
        fullSymbol={<IconStarFilled size={18} className={classes.full} />}
      />
      {count !== undefined && (
        <Text component="span" size="sm" c="dimmed" aria-hidden>
          {value > 0 ? `${value.toFixed(1)} (${count})` : 'No reviews yet'}
        </Text>
      )}
    </span>
  );
}

interface RatingInputProps {
  value: number;
  onChange: (stars: number) => void;
  error?: string;
  readOnly?: boolean;
}

/** Five stars to choose from, filled yellow up to the hovered or selected one. */
export function RatingInput({ value, onChange, error, readOnly = false }: RatingInputProps) {
  return (
    <div>
      <Rating
        value={value}
        onChange={onChange}
        readOnly={readOnly}
        size="xl"
        aria-label="Your rating"
        getSymbolLabel={(stars) => `${stars} star${stars === 1 ? '' : 's'}`}
        emptySymbol={<IconStarFilled size={34} className={classes.none} />}
        fullSymbol={<IconStarFilled size={34} className={classes.full} />}
      />
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
