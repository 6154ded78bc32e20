/**
 * What is wrong with the screen as it stands, one line each. It runs within the page, so it needs everything it uses
 * inside: text below WCAG's contrast, controls without a name or too small for a thumb, content that is wider than
 * the screen, and other than one main heading.
 */
export const findScreenFaults = (): string[] => {
  const faults = new Set<string>();
  const words = (element: Element) => (element.textContent ?? '').trim();
  const say = (fault: string, element: Element) =>
    faults.add(`${fault}: ${element.tagName.toLowerCase()} "${words(element).slice(0, 40)}"`);
  const isHidden = (element: Element) =>
    element.closest('[aria-hidden="true"], [inert]') !== null || !element.checkVisibility();

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  type Color = [number, number, number, number];
  const read = (css: string): Color => {
    if (!canvas) throw new Error('There is no canvas');
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const lay = ([r, g, b, a]: Color, under: Color): Color => {
    const mix = (top: number, bottom: number) => top * a + bottom * (1 - a);
    return [mix(r, under[0]), mix(g, under[1]), mix(b, under[2]), 1];
  };
  const luminance = ([r, g, b]: Color) => {
    const linear = (value: number) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const contrast = (one: Color, other: Color) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
      number,
      number,
    ];
    return (light + 0.05) / (dark + 0.05);
  };
  /** The colour behind an element; undefined where that is a picture. */
  const paperOf = (element: Element): Color | undefined => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    if (backgroundImage !== 'none') return undefined;
    const color = read(backgroundColor);
    if (color[3] === 1) return color;
    const parent = element.parentElement;
    const under = parent ? paperOf(parent) : ([255, 255, 255, 1] satisfies Color);
    return under && lay(color, under);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!element || !texts.currentNode.textContent?.trim() || isHidden(element)) continue;
    if (element.closest(':disabled, [data-disabled], style, script, option')) continue;
    const paper = paperOf(element);
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if (paper && contrast(lay(read(color), paper), paper) < (isLarge ? 3 : 4.5))
      say('too little contrast', element);
  }

  const controls = 'a[href], button, input:not([type="hidden"]), select, textarea';
  for (const control of document.querySelectorAll<HTMLInputElement>(controls)) {
    if (isHidden(control)) continue;
    const labels = [...(control.labels ?? [])].map(words).join('');
    const pictures = [...control.querySelectorAll('img')].map(({ alt }) => alt).join('');
    const named = control.ariaLabel || control.getAttribute('aria-labelledby');
    if (!named && !labels && !words(control) && !pictures) say('no name', control);
    const { width, height } = control.getBoundingClientRect();
    // Links within a sentence, links that cover a card, and fields that are hidden behind a drawn one may be small.
    const isFreeToBeSmall =
      getComputedStyle(control).display === 'inline' ||
      getComputedStyle(control, '::after').position === 'absolute' ||
      /file|radio|checkbox/.test(control.type);
    if (!isFreeToBeSmall && width > 1 && Math.min(width, height) < 24) say('too small', control);
  }

  if (document.documentElement.scrollWidth > innerWidth) faults.add('wider than the screen');
  const titles = [...document.querySelectorAll('h1')].filter((title) => !isHidden(title));
  if (titles.length !== 1) faults.add(`${titles.length} main headings`);
  return [...faults];
};
