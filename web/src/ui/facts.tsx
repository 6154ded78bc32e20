import type { ReactNode } from 'react';
import classes from './facts.module.css';

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={`${classes.facts} ${className ?? ''}`}>{children}</dl>;
}

interface FactProps {
  name: string;
  children: ReactNode;
  /** A total has a line above it. */
  total?: boolean;
  /** Whether the value is too long to stand beside its name. */
  long?: boolean;
}

export function Fact({ name, children, total, long }: FactProps) {
  return (
    <div data-total={total} data-long={long}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
