import type { Request, Response } from 'express';
import { sessionDays } from './domain/refresh-rules.ts';
import { crossSite } from './errors.ts';

/** As it is called without https, and was everywhere in the first version. */
const plain = { name: 'refresh_token', path: '/api' };
/** Browsers take a cookie of this prefix only from this very host, never from a subdomain; its path has to be `/`. */
const ofHost = { name: '__Host-refresh_token', path: '/' };

/** The refresh token's cookie: out of reach of scripts and of other sites. */
export interface RefreshCookie {
  read(request: Request): string | undefined;
  set(response: Response, token: string): void;
  clear(response: Response): void;
  /**
   * A page of another site can make a browser send the cookie, get somebody logged in as somebody else, or have a link
   * mailed. Browsers say which site asks; where nothing is said, a request that the cookie speaks for needs a header
   * that no form of another site can send.
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
  /** A cookie of the first version counts until it is replaced; sessions last 30 days. */
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

/** A cookie's value, unless it is longer than ours are. */
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
