/**
 * The access token lives here and nowhere else: a script that got into the page could read local
 * storage, and a token that dies with the tab is renewed from the HttpOnly cookie anyway.
 */
let accessToken: string | null = null;

export function readAccessToken(): string | null {
  return accessToken;
}

export function keepAccessToken(token: string | null): void {
  accessToken = token;
}
