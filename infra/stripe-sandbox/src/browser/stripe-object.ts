import { CardElement, type CardOptions } from './card-element.ts';
import { showBankDialog } from './challenge-dialog.ts';

type Json = Record<string, unknown>;
interface Intent extends Json {
  id: string;
  amount: number;
  currency: string;
  status: string;
}
type Failure = { error: Json };
interface MethodInput {
  card: CardElement;
  billing_details: Json;
  allow_redisplay?: string;
}

const API = new URL((document.currentScript as HTMLScriptElement).src).origin;

function createStripe(publishableKey: string): object {
  const call = createCaller(publishableKey);

  const finishAuthentication = async (intent: Intent, clientSecret: string) => {
    const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: intent.currency });
    const outcome = await showBankDialog(amount.format(intent.amount / 100));
    const path = `/sandbox${intentPath(clientSecret).slice(3)}/authenticate`;
    const answer = await call<Intent>('POST', path, { client_secret: clientSecret, outcome });
    if ('error' in answer) return answer;
    if (answer.status === 'requires_payment_method') {
      return { error: { ...(answer.last_payment_error as Json), payment_intent: answer } };
    }
    return { paymentIntent: answer };
  };

  const confirmCardPayment = async (
    clientSecret: string,
    { payment_method }: { payment_method: string },
  ) => {
    const body = { client_secret: clientSecret, payment_method };
    const intent = await call<Intent>('POST', `${intentPath(clientSecret)}/confirm`, body);
    if ('error' in intent) return intent;
    return intent.status === 'requires_action'
      ? finishAuthentication(intent, clientSecret)
      : { paymentIntent: intent };
  };

  const createPaymentMethod = async ({
    card,
    billing_details: details,
    allow_redisplay,
  }: MethodInput) => {
    const incomplete = card.check();
    if (incomplete) return { error: incomplete };
    const read = card.read();
    const paymentMethod = await call('POST', '/v1/payment_methods', {
      type: 'card',
      card: read.card,
      billing_details: { ...details, address: { postal_code: read.postalCode } },
      allow_redisplay,
    });
    return 'error' in paymentMethod ? paymentMethod : { paymentMethod };
  };

  return {
    elements: () => new Elements(),
    createPaymentMethod,
    confirmCardPayment,
    // React Stripe requires these methods.
    createToken() {},
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

class Elements {
  #card: CardElement | null = null;

  create(type: string, options: CardOptions = {}): CardElement {
    if (type !== 'card') throw new Error(`The sandbox has only the card element, not '${type}'.`);
    this.#card = new CardElement(options);
    return this.#card;
  }

  getElement(): CardElement | null {
    return this.#card;
  }

  update(): void {}
}

function intentPath(clientSecret: string): string {
  return `/v1/payment_intents/${String(clientSecret).split('_secret_')[0]}`;
}

function createCaller(publishableKey: string) {
  return async <T extends Json>(
    method: string,
    path: string,
    body?: Json,
  ): Promise<T | Failure> => {
    try {
      const reply = await fetch(`${API}${path}`, {
        method,
        credentials: 'omit',
        headers: { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await reply.json()) as T | Failure;
    } catch {
      const message =
        'We could not reach the payment provider. Please check your connection and try again.';
      return { error: { type: 'api_connection_error', message } };
    }
  };
}

function Stripe(publishableKey: string): object {
  if (typeof publishableKey !== 'string' || publishableKey === '') {
    throw new Error('Please call Stripe() with your publishable key.');
  }
  return createStripe(publishableKey);
}
// `loadStripe` warns about a script with another version name.
Stripe.version = 'endive';
Object.assign(window, { Stripe });
