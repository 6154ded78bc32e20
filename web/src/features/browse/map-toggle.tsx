import { UnstyledButton } from '@mantine/core';
import { IconMap } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { keep, readKept } from '../../lib/kept.ts';
import { readMapTiles } from '../../lib/map-tiles.ts';
import { whenNear } from '../../lib/when-near.ts';
import classes from './refine.module.css';

function loadMap() {
  return import('./tool-map.tsx');
}

export const ToolMap = lazy(loadMap);

const keptAs = 'map';

function isWide() {
  return window.matchMedia('(width >= 62em)').matches;
}

/**
 * On wide screens a search shows the map, and the user's choice is remembered. On a phone the tiles may cost mobile data,
 * so the map is off at first.
 */
export function useMapToggle(isSearch: boolean) {
  const [tiles] = useState(readMapTiles);
  const [wide] = useState(isWide);
  const [chosen, setChosen] = useState(() => (wide ? readKept<boolean>(keptAs) : null));
  const isOn = tiles !== null && (chosen ?? (wide && isSearch));
  const toggle = () => {
    keep(keptAs, !isOn);
    setChosen(!isOn);
  };
  return { tiles, isOn, toggle };
}

export function MapToggle({ tiles, isOn, toggle }: ReturnType<typeof useMapToggle>) {
  if (!tiles) return null;
  return (
    <UnstyledButton
      {...whenNear(loadMap)}
      className={`${classes.chip} ${classes.narrow}`}
      aria-pressed={isOn}
      data-chosen={isOn || undefined}
      onClick={toggle}
    >
      <IconMap size={16} aria-hidden />
      Map
    </UnstyledButton>
  );
}
