import { z } from 'zod';
import { id } from '../api/common.ts';
import { notice } from '../api/notifications.ts';

export const noticeCreated = z.object({ userId: id, notice });
