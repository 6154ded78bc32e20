export const sessionDays = 30;

/**
 * So long a used refresh token gets its successor again: a lost reply, or two tabs at once. The web app waits 30 s for a
 * reply, so a phone that lost one still has time for several tries. A thief of a used token has to come within it, too,
 * and the family still ends when the two take turns further apart than that.
 */
const replayWindowMs = 120_000;

/** What is known of a presented refresh token and of its family. */
export interface PresentedToken {
  /** How long ago it was first used; null while it is unused. */
  usedMsAgo: number | null;
  sessionEnded: boolean;
  sessionExpired: boolean;
  userDisabled: boolean;
}

/** Rotate it, give its successor again, end the family because a stolen token is in use, or refuse. */
type RefreshVerdict = 'rotate' | 'replay' | 'end family' | 'refuse' | 'refuse disabled';

export const judgeRefresh = (token: PresentedToken): RefreshVerdict => {
  if (token.userDisabled) return 'refuse disabled';
  if (token.sessionEnded || token.sessionExpired) return 'refuse';
  if (token.usedMsAgo === null) return 'rotate';
  return token.usedMsAgo <= replayWindowMs ? 'replay' : 'end family';
};
