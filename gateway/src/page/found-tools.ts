import { routes, tool } from '@lendtools/contracts';
import { z } from 'zod';
import type { BriefCall } from './brief-call.ts';

/** How many tools of a search a phone shows without scrolling. */
const inSight = 4;

const reply = z.object({ rentals: z.array(tool.pick({ name: true, cover_image: true })) });

export type FoundTool = z.infer<typeof reply>['rentals'][number];

/** Finds the first tools of a search; empty if catalog does not answer in time. */
export const findTools = async (brief: BriefCall, q: string): Promise<FoundTool[]> => {
  const asking = { query: { q, limit: inSight } };
  const found = await brief({ ...routes.allRentals, reply }, asking).catch(() => undefined);
  return found?.rentals ?? [];
};
