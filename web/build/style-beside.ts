import type { Plugin } from 'vite';

/** Loads the app's stylesheet with `media="print"`, so as not to block the first paint; `main.tsx` enables it. */
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
