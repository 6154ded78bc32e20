import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from './config.ts';

/**
 * Sets the security headers of every reply. They are computed once, because they don't depend on the request. A page may load
 * the site itself, Stripe's script, frames and API (or the sandbox's), and the map's tiles.
 */
export const securityHeaders = (config: GatewayConfig): RequestHandler => {
  const headers = new Map<string, string>([
    ['Access-Control-Allow-Origin', new URL(config.PUBLIC_URL).origin],
    ['Vary', 'Origin'],
  ]);
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  };
  helmetOf(config)({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
};

/** Matches inline scripts, not `<script type=…>` with data. */
const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** Allows the built page's inline scripts by their hashes, so that an injected script is blocked. */
export const allowScriptsOf = (built: string, response: ServerResponse): void => {
  const hashes = [...built.matchAll(inlineScript)].map(
    ([, code = '']) => ` 'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  const policy = String(response.getHeader('Content-Security-Policy'));
  const own = "script-src 'self'";
  response.setHeader('Content-Security-Policy', policy.replace(own, own + hashes.join('')));
};

const helmetOf = ({ STRIPE_API_BASE, PUBLIC_URL, MAP_TILES_URL }: GatewayConfig) => {
  const sandbox = STRIPE_API_BASE ? [new URL(STRIPE_API_BASE).origin] : [];
  const tiles = MAP_TILES_URL === 'none' ? [] : [new URL(MAP_TILES_URL).origin];
  const site = new URL(PUBLIC_URL);
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", 'https://js.stripe.com', ...sandbox],
        frameSrc: ['https://js.stripe.com', 'https://hooks.stripe.com', ...sandbox],
        connectSrc: [
          "'self'",
          site.origin.replace(/^http/, 'ws'),
          'https://api.stripe.com',
          ...sandbox,
        ],
        imgSrc: ["'self'", 'data:', 'blob:', ...tiles],
        // Inline styles are allowed because Mantine writes its variables into a style element and positions into style
        // attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: site.protocol === 'https:' ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
    // The card form opens the bank's page in a popup that must be able to message it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
};
