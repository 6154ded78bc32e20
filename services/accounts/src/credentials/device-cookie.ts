import { createHmac, timingSafeEqual } from 'node:crypto';
import { routes } from '@lendtools/contracts';
import type { Request, Response } from 'express';
import { readCookie } from './refresh-cookie.ts';

/** The cookie's name and path on a site without HTTPS. */
const plain = { name: 'device', path: routes.login.path };
/** With HTTPS, browsers accept a `__Host-` cookie only from this exact host, and only with the path `/`. */
const ofHost = { name: '__Host-device', path: '/' };
const dayMs = 86_400_000;
const validDays = 365;
/** How many accounts one device cookie can contain: enough for a family tablet. Another account replaces the least recently used one. */
const mostAccounts = 5;
const separator = '~';

/**
 * Identifies a device on which an account has logged in, like OWASP's "device cookies". Logins from this device go first in
 * the queue and have their own counter, so guesses from other devices cannot lock the user out. The cookie grants no access.
 */
export interface DeviceCookie {
  isKnown(request: Request, email: string): boolean;
  remember(request: Request, response: Response, email: string): void;
}

export const createDeviceCookie = (key: Buffer, publicUrl: string): DeviceCookie => {
  const secure = new URL(publicUrl).protocol !== 'http:';
  const { name, path } = secure ? ofHost : plain;
  const maxAge = validDays * dayMs;
  const attributes = { httpOnly: true, sameSite: 'strict', secure, path, maxAge } as const;

  const today = () => Math.floor(Date.now() / dayMs);
  const macOf = (email: string, day: string): string =>
    createHmac('sha256', key).update(`${day} ${email.toLowerCase()}`).digest('base64url');
  const isOf = (email: string) => (entry: string) => {
    const [day = '', mac = ''] = entry.split('.');
    const [given, right] = [Buffer.from(mac), Buffer.from(macOf(email, day))];
    const isRight = given.length === right.length && timingSafeEqual(given, right);
    return isRight && Number(day) >= today();
  };
  // Version 1.0 set the cookie without the prefix. Each entry is signed, so a subdomain cannot forge one.
  const entriesOf = (request: Request): string[] =>
    (readCookie(request, name, 400) ?? readCookie(request, plain.name, 400) ?? '')
      .split(separator)
      .slice(0, mostAccounts);

  return {
    isKnown: (request, email) => entriesOf(request).some(isOf(email)),
    remember(request, response, email) {
      const day = String(today() + validDays);
      const others = entriesOf(request).filter((entry) => entry && !isOf(email)(entry));
      const entries = [`${day}.${macOf(email, day)}`, ...others].slice(0, mostAccounts);
      response.cookie(name, entries.join(separator), attributes);
    },
  };
};
