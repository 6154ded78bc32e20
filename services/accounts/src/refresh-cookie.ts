import type { Request, Response } from 'express';
import { sessionDays } from './domain/refresh-rules.ts';
import { crossSite } from './errors.ts';

/** The cookie without https. The first version used it everywhere. */
const plain = { name: 'refresh_token', path: '/api' };
/** Browsers accept a `__Host-` cookie only from this exact host, never from a subdomain, and require the path `/`. */
const ofHost = { name: '__Host-refresh_token', path: '/' };

/** The refresh token's cookie, inaccessible to scripts and other sites. */
export interface RefreshCookie {
  read(request: Request): string | undefined;
  set(response: Response, token: string): void;
  clear(response: Response): void;
  /**
   * Rejects cross-site requests. Another site's page can make a browser send the cookie, log a user in to another
   * account, or request an emailed link. Browsers name the requesting site in `Sec-Fetch-Site` or `Origin`. If both
   * are missing, a request with the cookie must have a header that another site's form cannot set.
   * @throws AppError 403 CROSS_SITE
   */
  refuseCrossSite(request: Request, options: { byCookie: boolean }): void;
}

export const createRefreshCookie = (publicUrl: string): RefreshCookie => {
  const site = new URL(publicUrl);
  const secure = site.protocol !== 'http:';
  const { name, path } = secure ? ofHost : plain;
  const attributes = { httpOnly: true, sameSite: 'strict', secure } as const;
  const read = (request: Request, name: string) => readCookie(request, name, 200);
  /** A cookie of the first version stays valid until it is replaced; sessions last 30 days. */
  const clearOld = (response: Response): void => {
    if (secure && read(response.req, plain.name))
      response.clearCookie(plain.name, { ...attributes, path: plain.path });
  };

  return {
    read: (request) => read(request, name) ?? (secure ? read(request, plain.name) : undefined),
    set(response, token) {
      response.cookie(name, token, { ...attributes, path, maxAge: sessionDays * 86_400_000 });
      clearOld(response);
    },
    clear(response) {
      response.clearCookie(name, { ...attributes, path });
      clearOld(response);
    },
    refuseCrossSite(request, { byCookie }) {
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

/** Returns a cookie's value, unless it is longer than ours can be. */
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
