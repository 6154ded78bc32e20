import { brandOf, type CardValues, digitsOf } from './card-rules.ts';

export type FieldName = keyof CardValues;

/** The input fields have the same names and labels as in Stripe's card element. */
export const FIELDS: Record<FieldName, Record<string, string>> = {
  number: {
    name: 'cardnumber',
    placeholder: 'Card number',
    autocomplete: 'cc-number',
    'aria-label': 'Credit or debit card number',
    size: '19',
  },
  expiry: {
    name: 'exp-date',
    placeholder: 'MM / YY',
    autocomplete: 'cc-exp',
    'aria-label': 'Credit or debit card expiration date',
    size: '7',
  },
  cvc: {
    name: 'cvc',
    placeholder: 'CVC',
    autocomplete: 'cc-csc',
    'aria-label': 'Credit or debit card CVC/CVV',
    size: '4',
    maxlength: '4',
  },
  postalCode: {
    name: 'postal',
    placeholder: 'ZIP',
    autocomplete: 'billing postal-code',
    'aria-label': 'ZIP',
    size: '5',
    maxlength: '10',
  },
};

export const ORDER: FieldName[] = ['number', 'expiry', 'cvc', 'postalCode'];

export const SHEET = `
  :host { display: block; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 0; color: var(--color); }
  svg { flex: none; width: 24px; height: 16px; margin-right: 10px; color: var(--icon-color, currentColor); }
  input { all: unset; box-sizing: border-box; min-width: 0; padding: 2px 4px 2px 0; font: inherit;
    letter-spacing: inherit; color: inherit; cursor: text; font-variant-numeric: tabular-nums; }
  input:disabled { opacity: .5; cursor: not-allowed; }
  input[aria-invalid=true] { color: var(--invalid-color); }
  input::placeholder { color: var(--placeholder-color); opacity: 1; }
  input[name=cardnumber] { flex: 1 1 11.5em; }
  .rest { display: flex; flex: 0 1 auto; gap: 8px; }
  input[name=exp-date] { width: 4.9em; }
  input[name=cvc] { width: 3em; }
  input[name=postal] { width: 3.9em; }
`;

const OUTLINE =
  '<rect x=".75" y=".75" width="22.5" height="14.5" rx="2.5" fill="none" stroke="currentColor" stroke-width="1.5"/>';

const BRAND_WORDS: Record<string, string> = {
  visa: 'VISA',
  mastercard: 'MC',
  amex: 'AMEX',
  discover: 'DISC',
  diners: 'DC',
  jcb: 'JCB',
  unionpay: 'UP',
};

export function drawIcon(number: string): string {
  const word = BRAND_WORDS[brandOf(digitsOf(number)).name];
  if (!word) return `${OUTLINE}<path d="M1 4.2h22v2.6H1z" fill="currentColor"/>`;
  return `${OUTLINE}<text x="12" y="11" font-size="7" font-weight="700" font-family="sans-serif" text-anchor="middle" fill="currentColor">${word}</text>`;
}

/** A constructed style sheet works under a content security policy that forbids inline styles. */
export function adoptSheet(root: ShadowRoot, text: string): void {
  if (!('adoptedStyleSheets' in root)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  root.adoptedStyleSheets = [sheet];
}
