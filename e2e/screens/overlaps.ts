import type { Page } from 'playwright-core';

/**
 * Finds controls and texts that overlap, only in the open dialog if there is one. Ignores fixed and sticky bars,
 * because the page scrolls under them.
 */
export const findOverlaps = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Box {
      element: Element;
      words: string;
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    const root = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body;

    const parentsOf = (element: Element): Element[] => {
      const parents: Element[] = [];
      for (let one = element.parentElement; one; one = one.parentElement) parents.push(one);
      return parents;
    };
    const stays = (element: Element): boolean =>
      [element, ...parentsOf(element)].some(
        (one) => root.contains(one) && /fixed|sticky/.test(getComputedStyle(one).position),
      );
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

    const boxOf = (element: Element, rect: DOMRect, words: string): Box => {
      const box = { element, words, ...edges(rect) };
      for (const parent of [element, ...parentsOf(element)]) {
        const { overflowX, overflowY } = getComputedStyle(parent);
        const cut = edges(parent.getBoundingClientRect());
        if (overflowX !== 'visible') {
          box.left = Math.max(box.left, cut.left);
          box.right = Math.min(box.right, cut.right);
        }
        if (overflowY !== 'visible') {
          box.top = Math.max(box.top, cut.top);
          box.bottom = Math.min(box.bottom, cut.bottom);
        }
      }
      return box;
    };
    const edges = ({ left, top, right, bottom }: DOMRect) => ({ left, top, right, bottom });

    const controls = [...root.querySelectorAll('a, button, input, select, textarea')]
      .filter((element) => isShown(element) && !stays(element))
      .map((element) => {
        const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
        return boxOf(element, element.getBoundingClientRect(), `${element.tagName} ${words}`);
      });

    const texts: Box[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: parent, textContent: text } = node;
      if (!parent || !text?.trim() || !isShown(parent) || stays(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) texts.push(boxOf(parent, rect, text.trim()));
    }

    /** Overlaps of fewer pixels are ignored: lines of a paragraph touch, and rounding adds a pixel. */
    const least = 4;
    const isReal = ({ left, top, right, bottom }: Box) =>
      right - left > least && bottom - top > least;
    const overlaps = (a: Box, b: Box): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > least &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > least &&
      !a.element.contains(b.element) &&
      !b.element.contains(a.element);

    return [controls, texts].flatMap((boxes) => {
      const real = boxes.filter(isReal);
      return real.flatMap((a, i) =>
        real
          .slice(i + 1)
          .filter((b) => overlaps(a, b))
          .map((b) => `${a.words} / ${b.words}`),
      );
    });
  });
