import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import type { PreferenceChange } from '../../store/preference-repository.ts';

export const readPreferences = ({ preferences }: Deps) =>
  handle(routes.preferences, async ({ params: { userId } }) => ({
    preferences: await preferences.get(userId),
  }));

export const setPreferences = ({ preferences }: Deps) =>
  handle(routes.setPreferences, async ({ params: { userId }, body }) => {
    await preferences.change(userId, body as PreferenceChange);
    return { preferences: await preferences.get(userId) };
  });
