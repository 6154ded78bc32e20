import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Scrolls to the part of the page that the URL's hash names, once that part has rendered. */
export function useHashTarget<E extends HTMLElement>(name: string): RefObject<E | null> {
  const part = useRef<E>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${name}`) part.current?.scrollIntoView({ block: 'start' });
  }, [hash, name]);
  return part;
}
