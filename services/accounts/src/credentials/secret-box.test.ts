import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from './secret-box.ts';

const [oldKey, newKey] = [
  'an old key of thirty-two characters',
  'a new key of thirty-two characters!',
];

describe('a secret box', () => {
  it('encrypts a secret, and decrypts it only in the same context', () => {
    const box = createSecretBox([newKey]);

    const sealed = box.seal('JBSWY3DP', 'rita');

    expect(box.open(sealed, 'rita')).toBe('JBSWY3DP');
    expect(() => box.open(sealed, 'owen')).toThrow();
    expect(sealed.toString('latin1')).not.toContain('JBSWY3DP');
    expect(box.seal('JBSWY3DP', 'rita')).not.toEqual(sealed);
  });

  it('rejects a changed secret', () => {
    const box = createSecretBox([newKey]);
    const sealed = box.seal('JBSWY3DP', 'rita');
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => box.open(sealed, 'rita')).toThrow();
  });

  it('opens secrets of the old key after a rotation, and no longer once that key is removed', () => {
    const sealed = createSecretBox([oldKey]).seal('JBSWY3DP', 'rita');

    expect(createSecretBox([newKey, oldKey]).open(sealed, 'rita')).toBe('JBSWY3DP');
    expect(() => createSecretBox([newKey]).open(sealed, 'rita')).toThrow('No configured key');
  });
});
