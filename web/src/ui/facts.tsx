import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of a thing, line by line. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={`${classes.facts} ${className ?? ''}`}>{children}</dl>;
}

interface FactProps {
  name: string;
  children: ReactNode;
  /** The sum, under a line. */
  total?: boolean;
  /** A sentence, which would be squeezed beside its name. */
  long?: boolean;
}

/** The name quiet on the left, the value on the right; of a long one below the name. */
export function Fact({ name, children, total, long }: FactProps) {
  return (
    <div data-total={total} data-long={long}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
