/** The URL of the map's tiles, and the attribution (`by`) that their license requires. */
export interface MapTiles {
  tiles: string;
  by: string;
  terms: string;
}

/** The settings that the gateway writes into the page; null if there is no map. */
export function readMapTiles(): MapTiles | null {
  const written = document.querySelector<HTMLMetaElement>('meta[name="lendtools-map"]')?.content;
  return written ? JSON.parse(written) : null;
}
