export const sessionDays = 30;

/** A session ends this long after the login, however often it is used. */
export const longestSessionDays = 90;

/**
 * How long a used refresh token still returns its successor, in case a reply was lost or two tabs refresh together. The
 * web app waits 30 s for a reply, so a phone can retry several times. Reuse of a token after this time reveals a thief.
 */
const replayWindowMs = 120_000;

export interface PresentedToken {
  /** Milliseconds since the token's first use; null if the token is unused. */
  usedMsAgo: number | null;
  sessionEnded: boolean;
  sessionExpired: boolean;
  userDisabled: boolean;
}

/** `rotate` issues the successor, `replay` returns it again, `end family` revokes the session of a stolen token. */
type RefreshVerdict = 'rotate' | 'replay' | 'end family' | 'reject' | 'reject disabled';

export const judgeRefresh = (token: PresentedToken): RefreshVerdict => {
  if (token.userDisabled) return 'reject disabled';
  if (token.sessionEnded || token.sessionExpired) return 'reject';
  if (token.usedMsAgo === null) return 'rotate';
  return token.usedMsAgo <= replayWindowMs ? 'replay' : 'end family';
};
