/**
 * The access token is kept in memory only: an injected script could read local storage. After a reload it is renewed from
 * the HttpOnly cookie.
 */
let accessToken: string | null = null;

export function readAccessToken(): string | null {
  return accessToken;
}

export function keepAccessToken(token: string | null): void {
  accessToken = token;
}
