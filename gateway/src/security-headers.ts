import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { GatewayConfig } from './config.ts';

/** What a page of ours may load: itself, and Stripe's script, frames and API (or the sandbox's). */
export const securityHeaders = ({ STRIPE_API_BASE, PUBLIC_URL }: GatewayConfig): RequestHandler => {
  const sandbox = STRIPE_API_BASE ? [new URL(STRIPE_API_BASE).origin] : [];
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
