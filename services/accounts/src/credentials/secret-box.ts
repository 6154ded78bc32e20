import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that the service must be able to read again. */
export interface SecretBox {
  /** `context`, such as a user's id, is needed to open the secret: otherwise rows could be swapped in the database. */
  seal(secret: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** Whether the first key sealed the secret. */
  isCurrent(sealed: Buffer): boolean;
}

const algorithm = 'aes-256-gcm';
const sizes = { keyId: 4, nonce: 12, tag: 16 };

interface Key {
  id: Buffer;
  bytes: Buffer;
}

const toKey = (text: string): Key => ({
  id: createHash('sha256').update(text).digest().subarray(0, sizes.keyId),
  bytes: Buffer.from(hkdfSync('sha256', text, '', 'lendtools second factors', 32)),
});

/** Seals with the first key and opens with any of them, so that the key can be rotated. */
export const createSecretBox = (texts: readonly string[]): SecretBox => {
  const keys = texts.map(toKey);
  return {
    seal(secret, context) {
      const [key] = keys;
      if (!key) throw new Error('There is no key to seal secrets with');
      const nonce = randomBytes(sizes.nonce);
      const cipher = createCipheriv(algorithm, key.bytes, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([key.id, nonce, cipher.getAuthTag(), sealed]);
    },
    isCurrent: (sealed) => keys[0]?.id.equals(sealed.subarray(0, sizes.keyId)) ?? false,
    open(sealed, context) {
      const at = (start: number, size: number) => sealed.subarray(start, start + size);
      const key = keys.find(({ id }) => id.equals(at(0, sizes.keyId)));
      if (!key) throw new Error('No configured key opens this secret');
      const nonce = at(sizes.keyId, sizes.nonce);
      const tag = at(sizes.keyId + sizes.nonce, sizes.tag);
      const decipher = createDecipheriv(algorithm, key.bytes, nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const secret = sealed.subarray(sizes.keyId + sizes.nonce + sizes.tag);
      return Buffer.concat([decipher.update(secret), decipher.final()]).toString('utf8');
    },
  };
};
