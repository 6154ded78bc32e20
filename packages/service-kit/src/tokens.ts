import { createHash, randomBytes } from 'node:crypto';

/** An unguessable secret of 256 random bits, safe in a URL. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of a token. A random token needs no salt. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
