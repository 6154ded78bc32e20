import { createHmac } from 'node:crypto';
import type { Envelope, Revoked } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import {
  accessTokenMinutes,
  clockToleranceMinutes,
  type Db,
  hashToken,
  loginTokenHours,
  newToken,
  type Transaction,
} from '@lendtools/service-kit';
import { longestSessionDays, type PresentedToken, sessionDays } from '../domain/refresh-rules.ts';
import type { Device } from '../sessions/describe-device.ts';

/** Derives a token's successor from a secret key, so that the successor can be returned again without being stored. */
export const successorOf = (token: string, key: Buffer): string =>
  createHmac('sha256', key).update(token).digest('base64url');

const sessionEnd = `now() + interval '${sessionDays} days'`;
const latestSessionEnd = `created_at + interval '${longestSessionDays} days'`;

export interface StartedSession {
  sessionId: string;
  refreshToken: string;
  authenticatedAt: Date;
}

/** Starts a session, by default of a user who has just logged in. */
export const startSession = async (
  tx: Transaction,
  {
    userId,
    device,
    tokenMinutes = accessTokenMinutes,
    authenticatedAt,
  }: {
    userId: string;
    device: Device;
    tokenMinutes?: number;
    authenticatedAt?: Date | undefined;
  },
): Promise<StartedSession> => {
  const refreshToken = newToken();
  const { rows } = await tx.query<Omit<StartedSession, 'refreshToken'>>(
    `INSERT INTO sessions (user_id, expires_at, access_until, device, network, used_at, authenticated_at)
     VALUES ($1, ${sessionEnd}, now() + $2 * interval '1 minute', $3, $4, now(), coalesce($5, now()))
     RETURNING id AS "sessionId", authenticated_at AS "authenticatedAt"`,
    [userId, tokenMinutes, device.name, device.network, authenticatedAt],
  );
  const started = rows[0] as Omit<StartedSession, 'refreshToken'>;
  await addRefreshToken(tx, started.sessionId, refreshToken);
  return { ...started, refreshToken };
};

/** Looks in the stored sessions for this device and network, and for any session. */
export const findEarlierSessions = async (
  tx: Transaction,
  userId: string,
  { name, network }: Device,
): Promise<{ onDevice: boolean; onAny: boolean }> => {
  const { rows } = await tx.query<{ onDevice: boolean; onAny: boolean }>(
    `SELECT count(*) > 0 AS "onAny",
       coalesce(bool_or(device IS NOT DISTINCT FROM $2 AND network IS NOT DISTINCT FROM $3), false) AS "onDevice"
     FROM sessions WHERE user_id = $1`,
    [userId, name, network],
  );
  return rows[0] as { onDevice: boolean; onAny: boolean };
};

export interface OpenSession {
  id: string;
  device: string | null;
  network: string | null;
  createdAt: Date;
  usedAt: Date;
}

// A replica of 1.0.0 leaves `used_at` empty or as it was, but moves the session's end.
const lastUse = `greatest(used_at, expires_at - interval '${sessionDays} days')`;

/** Lists a user's open sessions, the last used first. */
export const listSessions = async (db: Db, userId: string): Promise<OpenSession[]> => {
  const { rows } = await db.query<OpenSession>(
    `SELECT id, device, network, created_at AS "createdAt", ${lastUse} AS "usedAt" FROM sessions
     WHERE user_id = $1 AND ended_at IS NULL AND least(expires_at, ${latestSessionEnd}) > now()
     ORDER BY ${lastUse} DESC, id DESC`,
    [userId],
  );
  return rows;
};

export const isSessionOpen = async (db: Db, sessionId: string): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL', [
    sessionId,
  ]);
  return rowCount === 1;
};

/** Stores a refresh token. No-op if already stored. */
export const addRefreshToken = async (
  tx: Transaction,
  sessionId: string,
  token: string,
): Promise<void> => {
  await tx.query(
    'INSERT INTO refresh_tokens (hash, session_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [hashToken(token), sessionId],
  );
};

export const findSessionOf = async (
  db: Db,
  refreshToken: string,
): Promise<{ sessionId: string; userId: string } | undefined> => {
  const { rows } = await db.query<{ sessionId: string; userId: string }>(
    `SELECT s.id AS "sessionId", s.user_id AS "userId"
     FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = $1`,
    [hashToken(refreshToken)],
  );
  return rows[0];
};

type StoredToken = Omit<PresentedToken, 'userDisabled'>;

/** Locks the token, so only the first of concurrent refreshes finds it unused. Lock the user first, or this can deadlock. */
export const lockRefreshToken = async (
  tx: Transaction,
  refreshToken: string,
): Promise<(StoredToken & { authenticatedAt: Date | null }) | undefined> => {
  const { rows } = await tx.query<StoredToken & { authenticatedAt: Date | null }>(
    `SELECT s.ended_at IS NOT NULL AS "sessionEnded", s.authenticated_at AS "authenticatedAt",
       least(s.expires_at, s.${latestSessionEnd}) <= now() AS "sessionExpired",
       (extract(epoch FROM clock_timestamp() - t.used_at) * 1000)::float8 AS "usedMsAgo"
     FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
     WHERE t.hash = $1 FOR UPDATE OF s, t`,
    [hashToken(refreshToken)],
  );
  return rows[0];
};

export const rotateRefreshToken = async (
  tx: Transaction,
  { sessionId, token, device }: { sessionId: string; token: string; device: Device },
): Promise<void> => {
  await tx.query('UPDATE refresh_tokens SET used_at = clock_timestamp() WHERE hash = $1', [
    hashToken(token),
  ]);
  await tx.query(
    `UPDATE sessions SET expires_at = least(${sessionEnd}, ${latestSessionEnd}), used_at = now(),
       access_until = greatest(access_until, now() + $2 * interval '1 minute'), device = $3, network = $4
     WHERE id = $1`,
    [sessionId, accessTokenMinutes, device.name, device.network],
  );
};

/** Ends one session, or all sessions of a user, or all but one. Returns an event for each session that was still open. */
export const endSessions = async (
  tx: Transaction,
  of: { sessionId: string; userId?: string } | { userId: string; except?: string },
): Promise<(Envelope & { type: 'SessionEnded' })[]> => {
  const conditions = {
    'id = ': 'sessionId' in of ? of.sessionId : undefined,
    'user_id = ': of.userId,
    'id <> ': 'except' in of ? of.except : undefined,
  };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const { rows } = await tx.query<{ sessionId: string; userId: string; accessUntil: Date }>(
    `UPDATE sessions SET ended_at = now()
     WHERE ended_at IS NULL AND ${given.map(([condition], i) => `${condition}$${i + 1}`).join(' AND ')}
     RETURNING id AS "sessionId", user_id AS "userId", access_until AS "accessUntil"`,
    given.map(([, value]) => value),
  );
  return rows.map(({ accessUntil, ...ended }) =>
    newEvent(
      'SessionEnded',
      { id: ended.sessionId, version: 2 },
      { ...ended, accessUntil: accessUntil.toISOString() },
    ),
  );
};

/** Ends a user's least recently used sessions if there are more than `most`. Returns the events to publish. */
export const endSessionsBeyond = async (
  tx: Transaction,
  userId: string,
  most: number,
): Promise<(Envelope & { type: 'SessionEnded' })[]> => {
  const { rows } = await tx.query<{ sessionId: string }>(
    `SELECT id AS "sessionId" FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now()
     ORDER BY expires_at DESC, id DESC OFFSET $2`,
    [userId, most],
  );
  const ended = [];
  for (const session of rows) ended.push(...(await endSessions(tx, session)));
  return ended;
};

/** Lists sessions and users whose revoked access tokens may not have expired yet. A starting service loads this list. */
export const listRevocations = async (db: Db): Promise<Revoked> => {
  const tolerance = `interval '${clockToleranceMinutes} minutes'`;
  const [sessions, users] = await Promise.all([
    db.query<{ sessionId: string; accessUntil: Date }>(
      `SELECT id AS "sessionId", access_until AS "accessUntil" FROM sessions
       WHERE ended_at IS NOT NULL AND access_until > now() - ${tolerance}`,
    ),
    db.query<{ userId: string; version: number }>(
      `SELECT id AS "userId", access_cut_version AS version FROM users
       WHERE access_cut_at > now() - interval '${loginTokenHours} hours' - ${tolerance}`,
    ),
  ]);
  const toApi = ({ sessionId, accessUntil }: { sessionId: string; accessUntil: Date }) => ({
    sessionId,
    accessUntil: accessUntil.toISOString(),
  });
  return { sessions: sessions.rows.map(toApi), users: users.rows };
};
