import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from './config.ts';

/**
 * The headers of every reply. A page of ours may load itself, and Stripe's script, frames and API (or the sandbox's).
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

/** A script within the page, which the policy allows by what it says. */
const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** The scripts that the built page has in itself; without a build there is no page. */
const pageScripts = ({ WEB_DIST }: GatewayConfig): string[] => {
  const page = path.resolve(WEB_DIST, 'index.html');
  if (!existsSync(page)) return [];
  const scripts = [...readFileSync(page, 'utf8').matchAll(inlineScript)];
  return scripts.map(([, code = '']) => {
    const hash = createHash('sha256').update(code).digest('base64');
    return `'sha256-${hash}'`;
  });
};

const helmetOf = (config: GatewayConfig) => {
  const { STRIPE_API_BASE, PUBLIC_URL } = config;
  const sandbox = STRIPE_API_BASE ? [new URL(STRIPE_API_BASE).origin] : [];
  const site = new URL(PUBLIC_URL);
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...pageScripts(config), 'https://js.stripe.com', ...sandbox],
        frameSrc: ['https://js.stripe.com', 'https://hooks.stripe.com', ...sandbox],
        connectSrc: [
          "'self'",
          site.origin.replace(/^http/, 'ws'),
          'https://api.stripe.com',
          ...sandbox,
        ],
        imgSrc: ["'self'", 'data:', 'blob:'],
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
