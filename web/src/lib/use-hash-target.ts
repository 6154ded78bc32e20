import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Brings a part of a screen into view for an address that names it: the part itself comes after the answer to a call. */
export function useHashTarget<E extends HTMLElement>(name: string): RefObject<E | null> {
  const part = useRef<E>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${name}`) part.current?.scrollIntoView({ block: 'start' });
  }, [hash, name]);
  return part;
}
