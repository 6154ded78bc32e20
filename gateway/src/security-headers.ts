import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from './config.ts';

/**
 * The headers of every reply. A page of ours may load itself, Stripe's script, frames and API (or the sandbox's), and the
 * map's pictures.
 * They never differ, so they are worked out once and not again for each request.
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

/** A script that stands in the page itself, not one of data. */
const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** Lets a page as it was built run its own scripts, each by what it says: nothing that is slipped in has its hash. */
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
        // Mantine sets its variables in a style element and positions in style attributes.
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
    // The card form opens a bank's page in a window that must be able to answer.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
};
