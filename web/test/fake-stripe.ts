import { jest } from '@jest/globals';

type Confirmation = { paymentIntent: { status: string } } | { error: Record<string, unknown> };
type Method = { paymentMethod: { id: string } } | { error: Record<string, unknown> };

/** The subset of Stripe.js that React Stripe's components need; the card itself is never filled in. */
export function installFakeStripe() {
  const confirmCardPayment = jest.fn<() => Promise<Confirmation>>();
  confirmCardPayment.mockResolvedValue({ paymentIntent: { status: 'succeeded' } });
  const createPaymentMethod = jest.fn<() => Promise<Method>>();
  createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_1' } });
  const element = {
    on: () => element,
    off: () => element,
    once: () => element,
    mount: () => undefined,
    unmount: () => undefined,
    update: () => undefined,
    destroy: () => undefined,
  };
  const elements = { create: () => element, getElement: () => element, update: () => undefined };
  const stripe = {
    elements: () => elements,
    createToken: () => undefined,
    createPaymentMethod: (...args: []) => createPaymentMethod(...args),
    confirmCardPayment: (...args: []) => confirmCardPayment(...args),
  };
  Object.assign(window, { Stripe: Object.assign(() => stripe, { version: 'endive' }) });
  return { confirmCardPayment, createPaymentMethod };
}
