/** The API says the text "null" where there is no picture. */
export function hasImage(path: string | null | undefined): path is string {
  return Boolean(path) && path !== 'null';
}

/** The same picture in another of its three widths. */
export function imageWidth(path: string, width: 320 | 640 | 1280): string {
  return path.replace('-640.', `-${width}.`);
}

/** For an `<img srcSet>`: the browser takes the width that it needs. */
export function imageSet(path: string): string {
  return ([320, 640, 1280] as const).map((w) => `${imageWidth(path, w)} ${w}w`).join(', ');
}
