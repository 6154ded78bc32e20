import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { listSessions } from '../../store/session-repository.ts';

export const showSessions = ({ pool, countryOf }: Deps) =>
  handle(routes.sessions, async ({ params, user }) => {
    const sessions = await listSessions(pool, params.userId);
    return {
      sessions: sessions.map(({ createdAt, usedAt, ...session }) => ({
        ...session,
        place: countryOf(session.network),
        createdAt: createdAt.toISOString(),
        usedAt: usedAt.toISOString(),
        isCurrent: session.id === user.sessionId,
      })),
    };
  });
