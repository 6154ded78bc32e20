import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.mjs';
import type { PaymentConfig } from './checkout-api.ts';

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('The card form could not be loaded'));
    });
    document.head.append(script);
  });
}

async function load({ publishableKey, scriptUrl }: PaymentConfig): Promise<Stripe> {
  // In a test environment, load its fake Stripe.js first; `loadStripe` then uses the existing `window.Stripe`.
  if (scriptUrl && !window.Stripe) await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('The card form could not be loaded');
  return stripe;
}

let opening: Promise<Stripe> | null = null;

/** Loads Stripe.js once per page, and again only after a failure. */
export function openStripe(config: PaymentConfig): Promise<Stripe> {
  opening ??= load(config).catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}
