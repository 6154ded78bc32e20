/** Widths in pixels of each stored picture; replies name the middle one. */
export const imageWidths = [320, 640, 1280] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** How the names of a service's pictures begin. */
export const picturePrefixes = { accounts: 'people', catalog: 'tools' } as const;

/** The API says the text "null" where there is no picture. */
export const hasImage = (path: string | null | undefined): path is string =>
  Boolean(path) && path !== 'null';

/** The same picture in another of its three widths. */
export const imageWidth = (path: string, width: ImageWidth): string =>
  path.replace('-640.', `-${width}.`);

/** For an `<img srcset>`: the browser picks the width that it needs. */
export const imageSet = (path: string): string =>
  imageWidths.map((width) => `${imageWidth(path, width)} ${width}w`).join(', ');

/** How wide a card in a list of tools, and a tool's page, show the cover: the page before the app and the app fetch the same file. */
export const cardSizes = '(min-width: 75em) 20vw, (min-width: 48em) 30vw, 46vw';
export const coverSizes = '(min-width: 62em) 60vw, 100vw';
