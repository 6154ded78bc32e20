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

interface BaseStyle {
  color?: string;
  iconColor?: string;
  fontFamily?: string;
  fontSize?: string;
  '::placeholder'?: { color?: string };
}

export interface CardOptions {
  style?: { base?: BaseStyle; invalid?: { color?: string } };
  disabled?: boolean;
}

type Listener = (event: { error: CardError | undefined }) => void;

/** Stands in for Stripe's card element. It has only the methods that the app and React Stripe call. */
export class CardElement {
  readonly #listeners = new Set<Listener>();
  readonly #inputs = {} as Record<FieldName, HTMLInputElement>;
  readonly #touched = new Set<FieldName>();
  readonly #host: HTMLElement;
  readonly #row: HTMLElement;
  readonly #icon: SVGElement;
  #options: CardOptions;
  #mount: HTMLElement | null = null;

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
    this.#applyOptions();
    this.#paint();
  }

  mount(target: HTMLElement): void {
    this.#mount = target;
    target.classList.add('StripeElement');
    target.replaceChildren(this.#host);
    this.#paint();
  }

  destroy(): void {
    this.#host.remove();
    this.#mount = null;
    this.#listeners.clear();
  }

  update(options: CardOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#applyOptions();
    this.#paint();
  }

  on(_name: 'change', listener: Listener): void {
    this.#listeners.add(listener);
  }

  off(_name: 'change', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  check(): CardError | null {
    for (const name of ORDER) this.#touched.add(name);
    this.#changed();
    const errors = this.#errors();
    const bad = ORDER.find((name) => errors[name]);
    if (bad) this.#inputs[bad].focus();
    return bad ? (errors[bad] ?? null) : null;
  }

  read(): { card: Record<string, string>; postalCode: string } {
    const expiry = digitsOf(this.#inputs.expiry.value);
    return {
      card: {
        number: digitsOf(this.#inputs.number.value),
        exp_month: expiry.slice(0, 2),
        exp_year: `20${expiry.slice(2)}`,
        cvc: this.#inputs.cvc.value,
      },
      postalCode: this.#inputs.postalCode.value,
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
    input.addEventListener('focus', () => this.#mount?.classList.add('StripeElement--focus'));
    input.addEventListener('blur', () => {
      if (input.value) this.#touched.add(name);
      this.#mount?.classList.remove('StripeElement--focus');
      this.#changed();
    });
    return input;
  }

  #typed(name: FieldName, event: InputEvent): void {
    const input = this.#inputs[name];
    const erasing = event.inputType?.startsWith('delete') ?? false;
    const atEnd = input.selectionStart === input.value.length;
    const formatted = this.#format(name, input.value, erasing);
    if (formatted !== input.value) {
      // After an edit in the middle, the caret stays behind the same digit.
      const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
      input.value = formatted;
      const caret = atEnd ? formatted.length : caretAfterDigits(formatted, digitsBefore);
      input.setSelectionRange(caret, caret);
    }
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
    if (event.key === 'Backspace' && this.#inputs[name].value === '') {
      event.preventDefault();
      this.#step(name, -1);
    }
    if (event.key === 'Enter') this.#mount?.closest('form')?.requestSubmit();
  }

  #step(from: FieldName, by: 1 | -1): void {
    const next = ORDER[ORDER.indexOf(from) + by];
    if (next && this.#host.shadowRoot?.activeElement === this.#inputs[from])
      this.#inputs[next].focus();
  }

  #errors(): Partial<Record<FieldName, CardError>> {
    return findErrors(this.#values(), new Date());
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
    const shown = ORDER.find((name) => this.#touched.has(name) && errors[name]);
    return shown && errors[shown];
  }

  #changed(): void {
    this.#paint();
    for (const listener of this.#listeners) listener({ error: this.#visibleError() });
  }

  #paint(): void {
    const errors = this.#errors();
    const complete = Object.keys(errors).length === 0;
    for (const name of ORDER) {
      const bad = this.#touched.has(name) && errors[name] !== undefined;
      this.#inputs[name].setAttribute('aria-invalid', String(bad));
    }
    this.#row.classList.toggle('complete', complete);
    this.#icon.innerHTML = drawIcon(this.#inputs.number.value);
  }

  #applyOptions(): void {
    const { style: { base = {}, invalid = {} } = {}, disabled = false } = this.#options;
    const rules = {
      'font-family': base.fontFamily,
      'font-size': base.fontSize,
      '--color': base.color ?? 'currentColor',
      '--icon-color': base.iconColor,
      '--invalid-color': invalid.color ?? '#df1b41',
      '--placeholder-color':
        base['::placeholder']?.color ?? 'color-mix(in srgb, currentColor 65%, transparent)',
    };
    for (const [name, value] of Object.entries(rules)) {
      if (value) this.#row.style.setProperty(name, value);
      else this.#row.style.removeProperty(name);
    }
    for (const name of ORDER) this.#inputs[name].disabled = disabled;
  }
}

function caretAfterDigits(text: string, count: number): number {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (seen === count) return index;
    if (/\d/.test(text[index] ?? '')) seen += 1;
  }
  return text.length;
}
