import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** In this order each file finds what it imports above itself. */
const FILES = [
  'card-rules.ts',
  'card-look.ts',
  'card-element.ts',
  'challenge-dialog.ts',
  'stripe-object.ts',
];

/**
 * Serves what stands in for Stripe.js: the files of `browser/` as one classic script, since
 * `loadStripe` expects `window.Stripe` as soon as the script has loaded.
 */
export function standInScript(): RequestHandler {
  const script = buildScript();
  return (_req, res) => {
    res.type('text/javascript').set('cache-control', 'no-cache').send(script);
  };
}

function buildScript(): string {
  // Asked of the process, because a test runner's own `node:module` does not have it.
  const { stripTypeScriptTypes } = process.getBuiltinModule('node:module');
  const parts = FILES.map((name) => {
    const source = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
    return stripTypeScriptTypes(source)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, '');
  });
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}
