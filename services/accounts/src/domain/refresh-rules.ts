export const sessionDays = 30;

/**
 * How long a used refresh token still gets its successor, for a lost reply or two tabs refreshing together. The web
 * app waits 30 s for a reply, so a phone can retry several times. A thief must reuse the token within this window
 * too, and the family still ends once the thief and the owner refresh further apart than that.
 */
const replayWindowMs = 120_000;

export interface PresentedToken {
  /** Milliseconds since the token's first use; null if it is unused. */
  usedMsAgo: number | null;
  sessionEnded: boolean;
  sessionExpired: boolean;
  userDisabled: boolean;
}

/**
 * `rotate` issues the successor, `replay` returns it again, `end family` revokes the session because a stolen token
 * is in use.
 */
type RefreshVerdict = 'rotate' | 'replay' | 'end family' | 'refuse' | 'refuse disabled';

export const judgeRefresh = (token: PresentedToken): RefreshVerdict => {
  if (token.userDisabled) return 'refuse disabled';
  if (token.sessionEnded || token.sessionExpired) return 'refuse';
  if (token.usedMsAgo === null) return 'rotate';
  return token.usedMsAgo <= replayWindowMs ? 'replay' : 'end family';
};
