import type { Plugin } from 'vite';

/**
 * Keeps the app's stylesheet from blocking the first paint, by loading it with `media="print"`; `main.tsx` enables it. It
 * stays before the screens' stylesheets, which override it.
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
