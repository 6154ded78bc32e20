/** Every picture is stored in these widths in pixels. Replies contain the path of the middle one. */
export const imageWidths = [320, 640, 1280] as const;
export type ImageWidth = (typeof imageWidths)[number];

export const picturePrefixes = { accounts: 'people', catalog: 'tools' } as const;

/** Without a picture, the API returns the text "null". */
export const hasImage = (path: string | null | undefined): path is string =>
  Boolean(path) && path !== 'null';

export const imageWidth = (path: string, width: ImageWidth): string =>
  path.replace('-640.', `-${width}.`);

/** The value of `srcset` in an `<img>`, from which the browser picks a width. */
export const imageSet = (path: string): string =>
  imageWidths.map((width) => `${imageWidth(path, width)} ${width}w`).join(', ');

/**
 * How wide the first picture of a tool is shown on a tool card and on the tool page. The prerendered page and the app must agree,
 * so that the browser fetches only one file.
 */
export const cardSizes = '(min-width: 75em) 20vw, (min-width: 48em) 30vw, 46vw';
export const coverSizes = '(min-width: 62em) 60vw, 100vw';
