import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import classes from './area.module.css';
import type { NavigationItem } from './navigation.ts';

interface AreaLinksProps {
  label: string;
  items: NavigationItem[];
  className?: string;
}

/** Links to the pages of an area in one scrolling row, for screens too narrow for the sidebar. */
export function AreaLinks({ label, items, className = '' }: AreaLinksProps) {
  const line = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the screen.
  useEffect(() => {
    const current = line.current?.querySelector<HTMLElement>('[aria-current]');
    if (!line.current || !current) return;
    line.current.scrollLeft =
      current.offsetLeft - (line.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav ref={line} aria-label={label} className={`${classes.areaLinks} ${className}`}>
      {items.map(({ to, label: text }) => (
        <NavLink key={to} to={to} className={classes.chip}>
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
