import { useRef } from 'react';
import { randomId } from './random-id.ts';

/**
 * `keyOf` returns the same Idempotency-Key on every retry, so that a lost reply leads to no second message. Another text gets
 * another key, and so does the same text after `forget`.
 */
export function useKeyOfText() {
  const sent = useRef({ text: '', key: '' });
  const forget = () => {
    sent.current = { text: '', key: '' };
  };
  const keyOf = (text: string) => {
    if (sent.current.text !== text) sent.current = { text, key: randomId() };
    return sent.current.key;
  };
  return { keyOf, forget };
}
