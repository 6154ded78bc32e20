import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** The files of `browser/`, ordered so that each file follows its imports. */
const FILES = [
  'card-rules.ts',
  'card-look.ts',
  'card-element.ts',
  'challenge-dialog.ts',
  'stripe-object.ts',
];

/**
 * Serves the stand-in for Stripe.js: the files of `browser/` as one classic script, because `loadStripe` expects
 * `window.Stripe` as soon as the script has loaded.
 */
export function standInScript(): RequestHandler {
  const script = buildScript();
  return (_req, res) => {
    res.type('text/javascript').set('cache-control', 'no-cache').send(script);
  };
}

function buildScript(): string {
  // Read at run time, because Jest's `node:module` lacks `stripTypeScriptTypes`.
  const { stripTypeScriptTypes } = process.getBuiltinModule('node:module');
  const parts = FILES.map((name) => {
    const source = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
    return stripTypeScriptTypes(source)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, '');
  });
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}
