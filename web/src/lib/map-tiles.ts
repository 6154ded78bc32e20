/** Where a map's pictures come from, and whom it names for them. */
export interface MapTiles {
  tiles: string;
  by: string;
  terms: string;
}

/** As the gateway writes it into the page; null for no map. */
export function readMapTiles(): MapTiles | null {
  const written = document.querySelector<HTMLMetaElement>('meta[name="lendtools-map"]')?.content;
  return written ? JSON.parse(written) : null;
}
