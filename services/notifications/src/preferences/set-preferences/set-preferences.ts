import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

export const readPreferences = ({ preferences }: Deps) =>
  handle(routes.preferences, async ({ params: { userId } }) => ({
    preferences: await preferences.get(userId),
  }));

export const setPreferences = ({ preferences }: Deps) =>
  handle(routes.setPreferences, async ({ params: { userId }, body }) => {
    await preferences.change(userId, body);
    return { preferences: await preferences.get(userId) };
  });
