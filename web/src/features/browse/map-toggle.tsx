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

/** Remembers an open map on wide screens only: on a phone the tiles may cost mobile data. */
export function useMapToggle() {
  const [tiles] = useState(readMapTiles);
  const [isOn, setOn] = useState(() => isWide() && readKept<boolean>(keptAs) === true);
  const toggle = () => {
    keep(keptAs, isOn ? null : true);
    setOn(!isOn);
  };
  return { tiles, isOn: isOn && tiles !== null, toggle };
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
