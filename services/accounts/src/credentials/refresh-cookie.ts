import type { Request, Response } from 'express';
import { crossSite } from '../domain/errors.ts';
import { sessionDays } from '../domain/refresh-rules.ts';

/** The cookie's name and path on a site without HTTPS. */
const plain = { name: 'refresh_token', path: '/api' };
/** With HTTPS, browsers accept a `__Host-` cookie only from this exact host, and only with the path `/`. */
const ofHost = { name: '__Host-refresh_token', path: '/' };

/** The cookie with the refresh token. Scripts and other sites cannot read it. */
export interface RefreshCookie {
  read(request: Request): string | undefined;
  set(response: Response, token: string): void;
  clear(response: Response): void;
  /**
   * Rejects a request that a page of another site made the browser send, as `Sec-Fetch-Site` or `Origin` shows. If both
   * headers are missing, a request with the cookie needs a header that a form cannot set. @throws AppError 403 CROSS_SITE
   */
  rejectCrossSite(request: Request, options: { byCookie: boolean }): void;
}

export const createRefreshCookie = (publicUrl: string): RefreshCookie => {
  const site = new URL(publicUrl);
  const secure = site.protocol !== 'http:';
  const { name, path } = secure ? ofHost : plain;
  const attributes = { httpOnly: true, sameSite: 'strict', secure } as const;

  return {
    read: (request) => readCookie(request, name, 200),
    set(response, token) {
      response.cookie(name, token, { ...attributes, path, maxAge: sessionDays * 86_400_000 });
    },
    clear(response) {
      response.clearCookie(name, { ...attributes, path });
    },
    rejectCrossSite(request, { byCookie }) {
      const fetchSite = request.get('sec-fetch-site');
      const origin = request.get('origin');
      const isOurs =
        fetchSite !== undefined
          ? fetchSite === 'same-origin'
          : origin !== undefined
            ? origin === site.origin
            : !byCookie || isNoForm(request);
      if (!isOurs) throw crossSite();
    },
  };
};

/** Returns a cookie's value; undefined if the cookie is missing or too long. */
export const readCookie = (
  { headers }: Request,
  name: string,
  mostCharacters: number,
): string | undefined => {
  const pairs = (headers.cookie ?? '').split(/; */);
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value && value.length <= mostCharacters ? value : undefined;
};

const isNoForm = (request: Request): boolean =>
  request.get('x-requested-with') !== undefined ||
  /^application\/json\b/.test(request.get('content-type') ?? '');
