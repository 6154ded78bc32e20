import { CardElement, type CardOptions } from './card-element.ts';
import type { CardError } from './card-rules.ts';
import { askBank } from './challenge-dialog.ts';

type Json = Record<string, unknown>;
interface Intent extends Json {
  id: string;
  amount: number;
  currency: string;
  status: string;
}
type Failure = { error: Json };

/** The sandbox that served this script is the API that it talks to. */
const API = new URL((document.currentScript as HTMLScriptElement).src).origin;

function createStripe(publishableKey: string): object {
  const call = createCaller(publishableKey);

  const retrieve = (clientSecret: string) =>
    call<Intent>(
      'GET',
      `${intentPath(clientSecret)}?client_secret=${encodeURIComponent(clientSecret)}`,
    );

  const finishAuthentication = async (intent: Intent, clientSecret: string) => {
    const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: intent.currency });
    const outcome = await askBank(amount.format(intent.amount / 100));
    const path = `/sandbox${intentPath(clientSecret).slice(3)}/authenticate`;
    const answer = await call<Intent>('POST', path, { client_secret: clientSecret, outcome });
    if ('error' in answer) return answer;
    if (answer.status === 'requires_payment_method') {
      return { error: { ...(answer.last_payment_error as Json), payment_intent: answer } };
    }
    return { paymentIntent: answer };
  };

  const handleNextAction = async (input: string | { clientSecret: string }) => {
    const clientSecret = typeof input === 'string' ? input : input.clientSecret;
    const intent = await retrieve(clientSecret);
    if ('error' in intent) return intent;
    if (intent.status === 'requires_action') return finishAuthentication(intent, clientSecret);
    return { paymentIntent: intent };
  };

  const confirmCardPayment = async (
    clientSecret: string,
    data: Json = {},
    options: { handleActions?: boolean } = {},
  ) => {
    const element = cardIn(data.payment_method);
    const incomplete = element?.check();
    if (incomplete) return { error: incomplete };
    element?.lock(true);
    try {
      const body = { client_secret: clientSecret, ...methodParams(data.payment_method) };
      const intent = await call<Intent>('POST', `${intentPath(clientSecret)}/confirm`, body);
      if ('error' in intent) {
        const error = intent.error as CardError;
        if (error.type === 'card_error') element?.refuse(error);
        return intent;
      }
      const asked = intent.status === 'requires_action' && options.handleActions !== false;
      return asked ? await finishAuthentication(intent, clientSecret) : { paymentIntent: intent };
    } finally {
      element?.lock(false);
    }
  };

  const createPaymentMethod = async (input: Json | string, card?: unknown, data: Json = {}) => {
    const given = typeof input === 'string' ? { ...data, type: input, card } : input;
    const chosen =
      given.elements instanceof Elements ? given.elements.getElement('card') : given.card;
    const element = cardIn({ card: chosen });
    const incomplete = element?.check();
    if (incomplete) return { error: incomplete };
    const { payment_method_data } = methodParams({ ...given, card: chosen }) as {
      payment_method_data: Json;
    };
    const paymentMethod = await call('POST', '/v1/payment_methods', payment_method_data);
    return 'error' in paymentMethod ? paymentMethod : { paymentMethod };
  };

  const createToken = async (element: unknown, data: Json = {}) => {
    const card = cardIn({ card: element });
    const incomplete = card?.check();
    if (incomplete) return { error: incomplete };
    const read = card?.read();
    const body = { card: { ...data, ...read?.card, address_zip: read?.postalCode } };
    const token = await call('POST', '/v1/tokens', body);
    return 'error' in token ? token : { token };
  };

  return {
    elements: (options?: Json) => new Elements(options),
    createToken,
    createPaymentMethod,
    confirmCardPayment,
    handleCardAction: handleNextAction,
    handleNextAction,
    async retrievePaymentIntent(clientSecret: string) {
      const paymentIntent = await retrieve(clientSecret);
      return 'error' in paymentIntent ? paymentIntent : { paymentIntent };
    },
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

/** `stripe.elements()`: a place for at most one element of each type. */
class Elements {
  readonly #made = new Map<string, CardElement>();
  readonly #options: Json;

  constructor(options: Json = {}) {
    this.#options = options;
  }

  create(type: string, options: CardOptions = {}): CardElement {
    if (type !== 'card') throw new Error(`The sandbox has the card element only, not '${type}'.`);
    const element = new CardElement(options);
    const { destroy } = element;
    element.destroy = () => {
      this.#made.delete(type);
      return destroy.call(element);
    };
    this.#made.set(type, element);
    return element;
  }

  getElement(asked: string | { __elementType?: string }): CardElement | null {
    const type = typeof asked === 'string' ? asked : (asked.__elementType ?? '');
    return this.#made.get(type) ?? null;
  }

  update(options: Json): void {
    Object.assign(this.#options, options);
  }

  fetchUpdates(): Promise<Json> {
    return Promise.resolve({});
  }

  submit(): Promise<Json> {
    const error = this.#made.get('card')?.check();
    return Promise.resolve(error ? { error } : {});
  }
}

function cardIn(method: unknown): CardElement | null {
  const card = typeof method === 'object' && method !== null ? (method as Json).card : null;
  return card instanceof CardElement ? card : null;
}

/** What Stripe.js takes as `payment_method` → what the API takes. */
function methodParams(method: unknown): Json {
  if (typeof method === 'string') return { payment_method: method };
  if (typeof method !== 'object' || method === null) return {};
  const { card, billing_details: billing = {}, metadata } = method as Json;
  const read = cardIn(method)?.read();
  const details = billing as { address?: Json };
  const address = { ...(read?.postalCode && { postal_code: read.postalCode }), ...details.address };
  return {
    payment_method_data: {
      type: 'card',
      card: read?.card ?? card,
      billing_details: { ...details, address },
      ...(metadata !== undefined && { metadata }),
    },
  };
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
// `loadStripe` warns when the script is of another release train than it expects.
Stripe.version = 'endive';
Object.assign(window, { Stripe });
