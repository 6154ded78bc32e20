import { useReducedMotion } from '@mantine/hooks';
import { circle, map, tileLayer } from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useRef } from 'react';
import type { MapTiles } from '../../lib/map-tiles.ts';
import classes from './pick-up.module.css';

/** Half of the half-mile square to which a tool's place is rounded, in meters. */
const radiusM = 400;

interface PickUpMapProps {
  tiles: MapTiles;
  at: { lat: number; lng: number };
}

/** A map of the pick-up place's surroundings. The address and the directions are beside it as text. */
export default function PickUpMap({ tiles, at: { lat, lng } }: PickUpMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  useEffect(() => {
    const shown = map(frame.current as HTMLElement, {
      attributionControl: false,
      zoomControl: false,
      scrollWheelZoom: false,
      keyboard: false,
      // One finger scrolls the page.
      dragging: !matchMedia('(pointer: coarse)').matches,
      zoomAnimation: !isStill,
      fadeAnimation: !isStill,
    }).setView([lat, lng], 14);
    tileLayer(tiles.tiles, {
      // OpenStreetMap's tile policy requires a referrer, and forbids loading tiles that are not viewed.
      referrerPolicy: 'strict-origin-when-cross-origin',
      updateWhenIdle: true,
      keepBuffer: 0,
    }).addTo(shown);
    circle([lat, lng], { radius: radiusM, className: classes.area as string }).addTo(shown);
    return () => void shown.remove();
  }, [tiles, lat, lng, isStill]);
  return (
    <div className={classes.map}>
      <div ref={frame} className={classes.frame} aria-hidden inert />
      <a className={classes.by} href={tiles.terms} target="_blank" rel="noreferrer">
        {tiles.by}
      </a>
    </div>
  );
}
