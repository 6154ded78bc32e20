import { Text, VisuallyHidden } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { useId, useState } from 'react';
import classes from './rating-stars.module.css';

const choices = [1, 2, 3, 4, 5];

interface RatingInputProps {
  /** What is rated. Without it the group is named “Your rating”, which is not shown. */
  label?: string;
  value: number;
  onChange: (stars: number) => void;
  error?: string;
}

/** Uses radio buttons, so that the stars work by keyboard. */
export function RatingInput({ label, value, onChange, error }: RatingInputProps) {
  const [hovered, setHovered] = useState(0);
  const name = useId();
  const shown = hovered || value;
  return (
    <div>
      <fieldset
        className={classes.choice}
        onPointerLeave={() => setHovered(0)}
        aria-describedby={error ? `${name}-error` : undefined}
      >
        {label ? (
          <Text component="legend" size="sm" fw={500}>
            {label}
          </Text>
        ) : (
          <VisuallyHidden component="legend">Your rating</VisuallyHidden>
        )}
        {choices.map((stars) => (
          <label
            key={stars}
            className={classes.star}
            onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHovered(stars)}
          >
            <input
              type="radio"
              name={name}
              className={classes.radio}
              checked={value === stars}
              onChange={() => onChange(stars)}
              aria-label={`${label ? `${label}: ` : ''}${stars} star${stars === 1 ? '' : 's'}`}
            />
            <IconStarFilled
              size={34}
              className={stars <= shown ? classes.full : classes.none}
              aria-hidden
            />
          </label>
        ))}
      </fieldset>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" id={`${name}-error`}>
          {error}
        </Text>
      )}
    </div>
  );
}
