import { adoptSheet, drawIcon, FIELDS, type FieldName, ORDER, SHEET } from './card-look.ts';
import {
  brandOf,
  type CardError,
  type CardValues,
  digitsOf,
  findErrors,
  formatExpiry,
  formatNumber,
  isNumberFull,
} from './card-rules.ts';

type StyleRules = Record<string, string | Record<string, string>>;

export interface CardOptions {
  style?: Partial<Record<'base' | 'complete' | 'empty' | 'invalid', StyleRules>>;
  value?: { postalCode?: string };
  hidePostalCode?: boolean;
  hideIcon?: boolean;
  disabled?: boolean;
  iconStyle?: string;
}

type Listener = (event: unknown) => void;

/** The card input of `elements.create('card')`: Stripe's events and class names, in our own page. */
export class CardElement {
  readonly elementType = 'card';
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #inputs = {} as Record<FieldName, HTMLInputElement>;
  readonly #touched = new Set<FieldName>();
  readonly #host: HTMLElement;
  readonly #row: HTMLElement;
  readonly #icon: SVGElement;
  #options: CardOptions;
  #mount: HTMLElement | null = null;
  #refusal: CardError | null = null;

  constructor(options: CardOptions = {}) {
    this.#options = options;
    this.#host = document.createElement('div');
    this.#host.className = '__PrivateStripeElement';
    const root = this.#host.attachShadow({ mode: 'open' });
    adoptSheet(root, SHEET);
    this.#row = document.createElement('div');
    this.#row.className = 'row';
    this.#row.setAttribute('role', 'group');
    this.#row.setAttribute('aria-label', 'Card details');
    this.#icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.#icon.setAttribute('viewBox', '0 0 24 16');
    this.#icon.setAttribute('aria-hidden', 'true');
    const rest = document.createElement('div');
    rest.className = 'rest';
    for (const name of ORDER) this.#inputs[name] = this.#buildInput(name);
    rest.append(this.#inputs.expiry, this.#inputs.cvc, this.#inputs.postalCode);
    this.#row.append(this.#icon, this.#inputs.number, rest);
    root.append(this.#row);
    this.#inputs.postalCode.value = options.value?.postalCode ?? '';
    this.#applyOptions();
    this.#paint();
  }

  mount(target: string | HTMLElement): this {
    const place = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!place)
      throw new Error(`The selector you specified (${String(target)}) applies to no DOM elements.`);
    this.#mount = place;
    place.classList.add('StripeElement');
    place.replaceChildren(this.#host);
    this.#paint();
    queueMicrotask(() => this.#emit('ready', { elementType: 'card' }));
    return this;
  }

  unmount(): this {
    this.#host.remove();
    this.#mount?.classList.remove(
      'StripeElement',
      'StripeElement--focus',
      'StripeElement--empty',
      'StripeElement--complete',
      'StripeElement--invalid',
    );
    this.#mount = null;
    return this;
  }

  destroy(): this {
    this.unmount();
    this.#listeners.clear();
    return this;
  }

  update(options: CardOptions): this {
    this.#options = { ...this.#options, ...options };
    const postalCode = options.value?.postalCode;
    if (postalCode !== undefined) this.#inputs.postalCode.value = postalCode;
    this.#applyOptions();
    this.#paint();
    return this;
  }

  on(name: string, listener: Listener): this {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
    return this;
  }

  once(name: string, listener: Listener): this {
    const first: Listener = (event) => {
      this.off(name, first);
      listener(event);
    };
    return this.on(name, first);
  }

  off(name: string, listener?: Listener): this {
    if (listener) this.#listeners.get(name)?.delete(listener);
    else this.#listeners.delete(name);
    return this;
  }

  addEventListener(name: string, listener: Listener): this {
    return this.on(name, listener);
  }

  removeEventListener(name: string, listener?: Listener): this {
    return this.off(name, listener);
  }

  focus(): this {
    const first = this.#shownFields().find((name) => this.#errors()[name]) ?? 'number';
    this.#inputs[first].focus();
    return this;
  }

  blur(): this {
    for (const name of ORDER) this.#inputs[name].blur();
    return this;
  }

  clear(): this {
    for (const name of ORDER) this.#inputs[name].value = '';
    this.#touched.clear();
    this.#refusal = null;
    this.#changed();
    return this;
  }

  /** Before a submit: shows what is wrong and gives the first error, or null when complete. */
  check(): CardError | null {
    for (const name of ORDER) this.#touched.add(name);
    this.#changed();
    const errors = this.#errors();
    const bad = this.#shownFields().find((name) => errors[name]);
    if (bad) this.#inputs[bad].focus();
    return bad ? (errors[bad] ?? null) : null;
  }

  /** Marks the whole card as refused until it is edited, as Stripe does after a decline. */
  refuse(error: CardError): void {
    this.#refusal = error;
    this.#paint();
  }

  lock(locked: boolean): void {
    for (const name of ORDER)
      this.#inputs[name].disabled = locked || this.#options.disabled === true;
  }

  /** The card as the API takes it. Nothing else ever hands the number out. */
  read(): { card: Record<string, string>; postalCode: string } {
    const expiry = digitsOf(this.#inputs.expiry.value);
    return {
      card: {
        number: digitsOf(this.#inputs.number.value),
        exp_month: expiry.slice(0, 2),
        exp_year: `20${expiry.slice(2)}`,
        cvc: this.#inputs.cvc.value,
      },
      postalCode: this.#options.hidePostalCode ? '' : this.#inputs.postalCode.value,
    };
  }

  #buildInput(name: FieldName): HTMLInputElement {
    const input = document.createElement('input');
    const fixed = {
      type: 'text',
      inputmode: 'numeric',
      spellcheck: 'false',
      autocorrect: 'off',
      'aria-required': 'true',
    };
    for (const [key, value] of Object.entries({ ...fixed, ...FIELDS[name] }))
      input.setAttribute(key, value);
    input.addEventListener('input', (event) => this.#typed(name, event as InputEvent));
    input.addEventListener('keydown', (event) => this.#keyed(name, event));
    input.addEventListener('focus', () => {
      this.#mount?.classList.add('StripeElement--focus');
      this.#emit('focus', { elementType: 'card' });
    });
    input.addEventListener('blur', () => {
      if (input.value) this.#touched.add(name);
      this.#mount?.classList.remove('StripeElement--focus');
      this.#changed();
      this.#emit('blur', { elementType: 'card' });
    });
    return input;
  }

  #typed(name: FieldName, event: InputEvent): void {
    const input = this.#inputs[name];
    const erasing = event.inputType?.startsWith('delete') ?? false;
    const atEnd = input.selectionStart === input.value.length;
    const formatted = this.#format(name, input.value, erasing);
    if (formatted !== input.value) {
      // In the middle of the text the caret keeps its place among the digits.
      const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
      input.value = formatted;
      const caret = atEnd ? formatted.length : placeAfterDigits(formatted, digitsBefore);
      input.setSelectionRange(caret, caret);
    }
    this.#refusal = null;
    this.#touched.delete(name);
    if (name === 'number' && isNumberFull(digitsOf(formatted))) this.#touched.add(name);
    if (name === 'expiry' && digitsOf(formatted).length === 4) this.#touched.add(name);
    this.#changed();
    const good = !this.#errors()[name];
    if (good && !erasing && atEnd && name !== 'postalCode') this.#step(name, 1);
  }

  #format(name: FieldName, text: string, erasing: boolean): string {
    if (name === 'number') return formatNumber(text);
    if (name === 'expiry') return formatExpiry(text, erasing);
    if (name === 'cvc')
      return digitsOf(text).slice(0, brandOf(digitsOf(this.#inputs.number.value)).cvcLength);
    return text.replace(/[^\w -]/g, '').slice(0, 10);
  }

  #keyed(name: FieldName, event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#emit('escape', { elementType: 'card' });
    if (event.key === 'Backspace' && this.#inputs[name].value === '') {
      event.preventDefault();
      this.#step(name, -1);
    }
    if (event.key === 'Enter') this.#mount?.closest('form')?.requestSubmit();
  }

  #step(from: FieldName, by: 1 | -1): void {
    const fields = this.#shownFields();
    const next = fields[fields.indexOf(from) + by];
    if (next && this.#host.shadowRoot?.activeElement === this.#inputs[from])
      this.#inputs[next].focus();
  }

  #shownFields(): FieldName[] {
    return this.#options.hidePostalCode ? ORDER.slice(0, 3) : ORDER;
  }

  #errors(): Partial<Record<FieldName, CardError>> {
    const hidePostalCode = this.#options.hidePostalCode === true;
    return findErrors(this.#values(), { hidePostalCode, today: new Date() });
  }

  #values(): CardValues {
    const { number, expiry, cvc, postalCode } = this.#inputs;
    return {
      number: number.value,
      expiry: expiry.value,
      cvc: cvc.value,
      postalCode: postalCode.value,
    };
  }

  #visibleError(): CardError | undefined {
    const errors = this.#errors();
    const shown = this.#shownFields().find((name) => this.#touched.has(name) && errors[name]);
    return this.#refusal ?? (shown && errors[shown]);
  }

  #changed(): void {
    this.#paint();
    const values = this.#values();
    this.#emit('change', {
      elementType: 'card',
      brand: brandOf(digitsOf(values.number)).name,
      complete: Object.keys(this.#errors()).length === 0,
      empty: this.#shownFields().every((name) => values[name] === ''),
      error: this.#visibleError(),
      value: { postalCode: values.postalCode },
    });
  }

  #paint(): void {
    const errors = this.#errors();
    const complete = Object.keys(errors).length === 0;
    const empty = this.#shownFields().every((name) => this.#inputs[name].value === '');
    for (const name of ORDER) {
      const bad = this.#refusal !== null || (this.#touched.has(name) && errors[name] !== undefined);
      this.#inputs[name].setAttribute('aria-invalid', String(bad));
    }
    this.#row.classList.toggle('complete', complete);
    this.#mount?.classList.toggle('StripeElement--complete', complete);
    this.#mount?.classList.toggle('StripeElement--empty', empty);
    this.#mount?.classList.toggle('StripeElement--invalid', this.#visibleError() !== undefined);
    this.#icon.innerHTML = drawIcon(this.#inputs.number.value);
  }

  #applyOptions(): void {
    const { style = {}, hidePostalCode, hideIcon, disabled } = this.#options;
    const base = style.base ?? {};
    for (const [rule, value] of Object.entries(base)) {
      if (typeof value === 'string' && rule !== 'color' && rule !== 'iconColor') {
        this.#row.style.setProperty(cssName(rule), value);
      }
    }
    const placeholder = base['::placeholder'];
    const colors: Record<string, unknown> = {
      '--color': base.color ?? 'currentColor',
      '--icon-color': base.iconColor,
      '--invalid-color': style.invalid?.color ?? '#df1b41',
      '--complete-color': style.complete?.color,
      '--placeholder-color':
        typeof placeholder === 'object'
          ? placeholder.color
          : 'color-mix(in srgb, currentColor 65%, transparent)',
    };
    for (const [name, value] of Object.entries(colors)) {
      if (typeof value === 'string') this.#row.style.setProperty(name, value);
      else this.#row.style.removeProperty(name);
    }
    this.#icon.style.display = hideIcon ? 'none' : '';
    this.#inputs.postalCode.style.display = hidePostalCode ? 'none' : '';
    for (const name of ORDER) this.#inputs[name].disabled = disabled === true;
  }

  #emit(name: string, event: object): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event);
  }
}

function placeAfterDigits(text: string, count: number): number {
  let seen = 0;
  for (let place = 0; place < text.length; place += 1) {
    if (seen === count) return place;
    if (/\d/.test(text[place] ?? '')) seen += 1;
  }
  return text.length;
}

function cssName(rule: string): string {
  return rule.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
