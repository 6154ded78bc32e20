import { routes, tool } from '@lendtools/contracts';
import { z } from 'zod';
import type { BriefCall } from './brief-call.ts';

/** How many results of a search a phone shows without scrolling. */
const inSight = 4;

const reply = z.object({ rentals: z.array(tool.pick({ name: true, cover_image: true })) });

export type FoundTool = z.infer<typeof reply>['rentals'][number];

/** Returns no tools if the catalog service does not answer in time. */
export const findTools = async (brief: BriefCall, q: string): Promise<FoundTool[]> => {
  const input = { query: { q, limit: inSight } };
  const found = await brief({ ...routes.allRentals, reply }, input).catch(() => undefined);
  return found?.rentals ?? [];
};
