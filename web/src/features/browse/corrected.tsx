import { Anchor, Text } from '@mantine/core';
import classes from './browse.module.css';

interface CorrectedProps {
  typed: string;
  searchedFor: string;
  onExact: () => void;
}

export function Corrected({ typed, searchedFor, onExact }: CorrectedProps) {
  return (
    <Text role="status" className={classes.corrected}>
      Showing results for <strong>{searchedFor}</strong>.{' '}
      <Anchor component="button" type="button" onClick={onExact} className={classes.exact}>
        Search for “{typed}” instead
      </Anchor>
    </Text>
  );
}
