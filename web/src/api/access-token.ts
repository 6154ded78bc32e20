/** The access token. Kept in memory only, because an injected script could read local storage. */
let accessToken: string | null = null;

export function readAccessToken(): string | null {
  return accessToken;
}

export function keepAccessToken(token: string | null): void {
  accessToken = token;
}
