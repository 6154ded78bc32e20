import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Scrolls to the part of the screen that the address's hash names. Waits until that part is rendered, for example after
 * a request.
 */
export function useHashTarget<E extends HTMLElement>(name: string): RefObject<E | null> {
  const part = useRef<E>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${name}`) part.current?.scrollIntoView({ block: 'start' });
  }, [hash, name]);
  return part;
}
