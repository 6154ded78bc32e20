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
}

/** The name quiet on the left, the value on the right. */
export function Fact({ name, children, total }: FactProps) {
  return (
    <div data-total={total}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
