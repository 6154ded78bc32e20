/** A page over plain HTTP cannot use passkeys, except on localhost. */
export function supportsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}
