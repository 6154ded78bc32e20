import type { Plugin } from 'vite';

/**
 * Lets the page paint what it has without waiting for the app's style: a style for print holds nothing up. `main.tsx`
 * makes it one for the screen when it is there. It stays where it stood, before the styles of the screens, which override it.
 */
export function styleBeside(): Plugin {
  return {
    name: 'style-beside',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll(
          '<link rel="stylesheet"',
          '<link rel="stylesheet" media="print" fetchpriority="high"',
        ),
    },
  };
}
