import type { Tool } from '@lendtools/contracts';
import { Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import {
  DomEvent,
  divIcon,
  type Map as LeafletMap,
  latLngBounds,
  type Marker,
  map,
  marker,
  type Point,
  tileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useRef, useState } from 'react';
import type { MapTiles } from '../../lib/map-tiles.ts';
import { formatMoney } from '../../rental/format.ts';
import classes from './tool-map.module.css';

interface PinsProps {
  tools: Tool[];
  picked: readonly string[];
  onPick: (ids: string[]) => void;
}

/** The maximum zoom: places are rounded to half a mile, and a closer view would suggest more precision. */
const closest = 14;

/** A map of the listed tools. The list has the same information as text. */
export default function ToolMap({ tiles, ...pins }: PinsProps & { tiles: MapTiles }) {
  const frame = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<LeafletMap | null>(null);
  const [isBare, setBare] = useState(false);
  // Read this setting in the first render: a later change would create a new map, without the pins.
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  useEffect(() => {
    const next = map(frame.current as HTMLElement, {
      maxZoom: closest,
      attributionControl: false,
      // The mouse wheel scrolls the page, not the map.
      scrollWheelZoom: false,
      // On a touch screen one finger scrolls the page, and two fingers move the map.
      dragging: !matchMedia('(pointer: coarse)').matches,
      zoomAnimation: !isStill,
      fadeAnimation: !isStill,
      inertia: !isStill,
    }).setView([39, -97], 3);
    tileLayer(tiles.tiles, {
      // OpenStreetMap's tile policy requires a referrer, and forbids loading tiles that are not viewed.
      referrerPolicy: 'strict-origin-when-cross-origin',
      updateWhenIdle: true,
      keepBuffer: 0,
    })
      .on('tileerror', () => setBare(true))
      .on('tileload', () => setBare(false))
      .addTo(next);
    setShown(next);
    return () => {
      setShown(null);
      next.remove();
    };
  }, [tiles, isStill]);
  usePins(shown, pins);
  const { picked, tools } = pins;
  const isPlaceless = tools.length > 0 && !tools.some(hasPlace);
  useEffect(() => {
    if (picked.length === 0) return;
    const behavior = isStill ? 'auto' : 'smooth';
    document.querySelector('[data-picked]')?.scrollIntoView({ block: 'nearest', behavior });
  }, [picked, isStill]);

  return (
    <div className={classes.map}>
      <section ref={frame} className={classes.frame} aria-label="Map of these tools" />
      <a className={classes.by} href={tiles.terms} target="_blank" rel="noreferrer">
        {tiles.by}
      </a>
      {(isBare || isPlaceless) && (
        <Text role="status" className={classes.bare}>
          {isBare
            ? 'The map’s pictures don’t load now. The list has every tool.'
            : 'Nobody has said where these tools are. The list has every tool.'}
        </Text>
      )}
    </div>
  );
}

interface Pin {
  button: HTMLButtonElement;
  marker: Marker;
  ids: string[];
}

/** Pins closer than this, about the width of a pin, would hide one another, so they are merged. */
const pinPx = 64;

function usePins(shown: LeafletMap | null, { tools, picked, onPick }: PinsProps) {
  // The pins by the id of their first tool, which stays first as the list grows, so that a pin keeps its focus.
  const pins = useRef(new Map<string, Pin>());
  const fitted = useRef('');
  useEffect(() => {
    if (!shown) return;
    const all = pins.current;
    return () => all.clear();
  }, [shown]);
  useEffect(() => {
    if (!shown) return;
    const placed = tools.filter(hasPlace);
    // Fit the view to a new list, but keep the user's view if the list only grew.
    const first = tools[0]?.id ?? '';
    if (placed.length > 0 && fitted.current !== first)
      shown.fitBounds(boundsOf(placed), { maxZoom: 12, padding: [48, 48], animate: false });
    fitted.current = first;
    const draw = () => drawPins(shown, pins.current, { placed, picked, onPick });
    draw();
    shown.on('zoomend', draw);
    return () => void shown.off('zoomend', draw);
  }, [shown, tools, picked, onPick]);
}

type PlacedTool = Tool & { position: NonNullable<Tool['position']> };

function hasPlace(tool: Tool): tool is PlacedTool {
  return Boolean(tool.position);
}

function boundsOf(tools: PlacedTool[]) {
  return latLngBounds(tools.map(({ position: { lat, lng } }) => [lat, lng]));
}

function byPin(shown: LeafletMap, tools: PlacedTool[]): PlacedTool[][] {
  const groups: { at: Point; tools: PlacedTool[] }[] = [];
  for (const tool of tools) {
    const at = shown.project([tool.position.lat, tool.position.lng]);
    const near = groups.find((group) => group.at.distanceTo(at) < pinPx);
    if (near) near.tools.push(tool);
    else groups.push({ at, tools: [tool] });
  }
  return groups.map((group) => group.tools);
}

interface PinsInput extends Pick<PinsProps, 'picked' | 'onPick'> {
  placed: PlacedTool[];
}

/** Updates existing pins instead of replacing them, so that they keep the focus. */
function drawPins(
  shown: LeafletMap,
  pins: Map<string, Pin>,
  { placed, picked, onPick }: PinsInput,
) {
  const focused = [...pins.values()].find(({ button }) => button === document.activeElement);
  const old = new Map(pins);
  pins.clear();
  for (const here of byPin(shown, placed)) {
    const [{ id, position }] = here as [PlacedTool];
    const pin = old.get(id) ?? newPin(shown, position);
    old.delete(id);
    pins.set(id, pin);
    pin.ids = here.map((tool) => tool.id);
    const { label, words } = pinInWords(here);
    pin.button.textContent = label;
    pin.button.setAttribute('aria-label', words);
    pin.button.setAttribute('aria-pressed', String(pin.ids.some((one) => picked.includes(one))));
    pin.button.onclick = () => {
      onPick(pin.ids);
      if (!isOnePlace(here)) shown.fitBounds(boundsOf(here), { padding: [48, 48] });
    };
  }
  for (const { marker } of old.values()) marker.remove();
  if (!focused || focused.button.isConnected) return;
  const heir = [...pins.values()].find(({ ids }) => ids.includes(focused.ids[0] ?? ''));
  heir?.button.focus({ preventScroll: true });
}

function isOnePlace([first, ...others]: PlacedTool[]) {
  return others.every(
    ({ position }) => position.lat === first?.position.lat && position.lng === first?.position.lng,
  );
}

function pinInWords(here: PlacedTool[]): { label: string; words: string } {
  const [{ name, price, rental_circle, user }] = here as [PlacedTool];
  const cost = formatMoney(price, true);
  if (here.length === 1) return { label: cost, words: `${name}, ${cost} ${rental_circle}` };
  const label = `${here.length} tools`;
  const where = isOnePlace(here) ? `in ${user.city}` : `around ${user.city}`;
  return { label, words: `${label} ${where}: ${here.map((tool) => tool.name).join(', ')}` };
}

/** The pin contains a button, because Leaflet's markers don't handle keys like a button. */
function newPin(shown: LeafletMap, { lat, lng }: PlacedTool['position']): Pin {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = classes.pin as string;
  DomEvent.disableClickPropagation(button);
  const icon = divIcon({ html: button, className: classes.spot as string, iconSize: [0, 0] });
  const options = { icon, keyboard: false, interactive: false };
  return { button, ids: [], marker: marker([lat, lng], options).addTo(shown) };
}
