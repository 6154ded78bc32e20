import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const tag = '<script src="/src/start.ts"></script>';

/** Inlines `src/start.ts` into the page, so that the first paint does not wait for another file. */
export function inlineStart(): Plugin {
  return {
    name: 'inline-start',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(tag)) throw new Error(`index.html has no ${tag}`);
        const entry = path.join(import.meta.dirname, '../src/start.ts');
        const built = await build({
          configFile: false,
          logLevel: 'error',
          build: { write: false, lib: { entry, formats: ['iife'], name: 'start' } },
        });
        const [{ output }] = built as [Rolldown.RolldownOutput];
        return html.replace(tag, () => `<script>${output[0].code.trim()}</script>`);
      },
    },
  };
}
