import { createHash, randomBytes } from 'node:crypto';

/** A secret that nobody guesses: 256 random bits, as they may stand in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of one. So many bits need no salt. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
