import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

export const syncAdmins = ({ admins }: Deps): Consumer =>
  subscribe('notifications.sync-admins', async ({ type, version, data }) => {
    const { userId: _id } = data;
    if (type === 'AccountDisabled') await admins.saveDisabled(_id, data.disabled, version);
    else await admins.saveRole({ _id, role: data.adminRole ?? data.role, version });
  });
