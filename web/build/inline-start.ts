import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { minify } from 'rolldown/utils';
import type { Plugin } from 'vite';

const tag = '<script src="/src/start.js"></script>';

/** Puts `src/start.js` into the page itself, so that the first paint waits for no second file. */
export function inlineStart(): Plugin {
  return {
    name: 'inline-start',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const file = path.join(import.meta.dirname, '../src/start.js');
        const { code } = await minify('start.js', await readFile(file, 'utf8'));
        if (!html.includes(tag)) throw new Error(`index.html has no ${tag}`);
        return html.replace(tag, () => `<script>${code}</script>`);
      },
    },
  };
}
