import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from './config.ts';

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

const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** Allows the built page's own inline scripts by their hashes; any injected script stays blocked. */
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
        // Allow inline styles: Mantine writes its CSS variables into a style element, and sets positions in style attributes.
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
    // The card form opens the bank's page in a popup, which must be able to send messages back.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
};
