import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** Each file must come after the files that it imports. */
const FILES = [
  'card-rules.ts',
  'card-look.ts',
  'card-element.ts',
  'challenge-dialog.ts',
  'stripe-object.ts',
];

/** Joins the files of `browser/` into one classic script, because `loadStripe` expects `window.Stripe` at once. */
export function standInScript(): RequestHandler {
  const script = buildScript();
  return (_req, res) => {
    res.type('text/javascript').set('cache-control', 'no-cache').send(script);
  };
}

function buildScript(): string {
  // Jest's `node:module` lacks `stripTypeScriptTypes`.
  const { stripTypeScriptTypes } = process.getBuiltinModule('node:module');
  const parts = FILES.map((name) => {
    const source = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
    return stripTypeScriptTypes(source)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, '');
  });
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}
