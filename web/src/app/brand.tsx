import * as paths from '@lendtools/contracts/pages';
import { Link } from 'react-router-dom';
import classes from './brand.module.css';

export function Brand({ onClick }: { onClick?: () => void }) {
  return (
    <Link to={paths.home} className={classes.brand} onClick={onClick} aria-label="LendTools, home">
      <svg width="34" height="34" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="var(--mantine-color-orange-7)" />
        <path d="M9 7.5h4v13.2h10.5v3.8H9z" fill="#fff" />
        <circle cx="20.6" cy="12.4" r="4" fill="none" stroke="#ffe6d5" strokeWidth="2.6" />
      </svg>
      <span>
        Lend<em>Tools</em>
      </span>
    </Link>
  );
}
