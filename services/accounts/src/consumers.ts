import type { Consumer } from '@lendtools/event-bus';
import { recordActsOfAdmins } from './audit/record-acts-of-admins/record-acts-of-admins.ts';
import type { Deps } from './deps.ts';

export const consumers = (deps: Deps): Consumer[] => [recordActsOfAdmins(deps)];
