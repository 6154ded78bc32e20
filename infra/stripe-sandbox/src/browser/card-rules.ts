export interface CardError {
  type: string;
  code: string;
  message: string;
}

export interface CardValues {
  number: string;
  expiry: string;
  cvc: string;
  postalCode: string;
}

interface Brand {
  name: string;
  starts: RegExp;
  lengths: number[];
  gaps: number[];
  cvcLength: number;
}

const SIXTEEN = { lengths: [16], gaps: [4, 8, 12], cvcLength: 3 };

const BRANDS: Brand[] = [
  { name: 'visa', starts: /^4/, ...SIXTEEN },
  { name: 'mastercard', starts: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, ...SIXTEEN },
  { name: 'amex', starts: /^3[47]/, lengths: [15], gaps: [4, 10], cvcLength: 4 },
  { name: 'discover', starts: /^(6011|64[4-9]|65)/, ...SIXTEEN },
  { name: 'diners', starts: /^3(0|[68])/, lengths: [14, 16], gaps: [4, 10], cvcLength: 3 },
  { name: 'jcb', starts: /^35/, ...SIXTEEN },
  { name: 'unionpay', starts: /^62/, ...SIXTEEN },
];

const UNKNOWN: Brand = { name: 'unknown', starts: /^/, ...SIXTEEN };

export function brandOf(number: string): Brand {
  return BRANDS.find((brand) => brand.starts.test(number)) ?? UNKNOWN;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function formatNumber(text: string): string {
  const number = digitsOf(text);
  const brand = brandOf(number);
  const kept = number.slice(0, Math.max(...brand.lengths));
  const gaps = kept.length > 14 && brand.name === 'diners' ? SIXTEEN.gaps : brand.gaps;
  return [...kept].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** Turns `3` into `03 / `, and both `1228` and `12 / 2028` into `12 / 28`. */
export function formatExpiry(text: string, erasing: boolean): string {
  const [month = '', year] = text.split('/').map(digitsOf);
  let digits = year === undefined ? month : month.padStart(2, '0') + year;
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  if (/^\d\d20\d\d/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && erasing)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

export function isNumberFull(number: string): boolean {
  return brandOf(number).lengths.includes(number.length);
}

export function findErrors(
  values: CardValues,
  today: Date,
): Partial<Record<keyof CardValues, CardError>> {
  const number = digitsOf(values.number);
  const errors: Partial<Record<keyof CardValues, CardError>> = {};
  if (!isNumberFull(number)) {
    errors.number = cardProblem('incomplete_number', 'Your card number is incomplete.');
  } else if (!passesLuhn(number)) {
    errors.number = cardProblem('invalid_number', 'Your card number is invalid.');
  }
  const expiry = checkExpiry(digitsOf(values.expiry), today);
  if (expiry) errors.expiry = expiry;
  if (values.cvc.length < brandOf(number).cvcLength) {
    errors.cvc = cardProblem('incomplete_cvc', "Your card's security code is incomplete.");
  }
  if (values.postalCode.length < 5) {
    errors.postalCode = cardProblem('incomplete_zip', 'Your postal code is incomplete.');
  }
  return errors;
}

function checkExpiry(digits: string, today: Date): CardError | null {
  const month = Number(digits.slice(0, 2));
  if (digits.length === 4 && (month < 1 || month > 12)) {
    return cardProblem('invalid_expiry_month', "Your card's expiration month is invalid.");
  }
  if (digits.length < 4) {
    return cardProblem('incomplete_expiry', "Your card's expiration date is incomplete.");
  }
  const year = 2000 + Number(digits.slice(2));
  if (year < today.getFullYear()) {
    return cardProblem('invalid_expiry_year_past', "Your card's expiration year is in the past.");
  }
  if (year === today.getFullYear() && month < today.getMonth() + 1) {
    return cardProblem('invalid_expiry_month_past', "Your card's expiration date is in the past.");
  }
  return null;
}

function cardProblem(code: string, message: string): CardError {
  return { type: 'validation_error', code, message };
}
