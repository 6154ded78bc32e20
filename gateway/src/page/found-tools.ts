import { routes, tool } from '@lendtools/contracts';
import { z } from 'zod';
import type { BriefCall } from './brief-call.ts';

/** What a phone shows of a search without scrolling. */
const inSight = 4;

const reply = z.object({ rentals: z.array(tool.pick({ name: true, cover_image: true })) });

export type FoundTool = z.infer<typeof reply>['rentals'][number];

/** The first tools that a search finds; none where catalog does not say so in time. */
export const findTools = async (brief: BriefCall, q: string): Promise<FoundTool[]> => {
  const asking = { query: { q, limit: inSight } };
  const found = await brief({ ...routes.allRentals, reply }, asking).catch(() => undefined);
  return found?.rentals ?? [];
};
