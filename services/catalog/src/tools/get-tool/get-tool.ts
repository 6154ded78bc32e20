import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle, JsonText } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { toolNotFound } from '../../domain/errors.ts';
import { viewerOf } from '../../store/tool-json.ts';
import { readToolJson } from '../../store/tool-repository.ts';

/** Returns Unavailable tools too; their page shows the status. */
export const getTool = ({ pool }: Deps): BoundRoute =>
  handle(routes.getTool, async ({ params, user }) => {
    const tool = await readToolJson(pool, params.id, viewerOf(user));
    if (!tool) throw toolNotFound();
    return new JsonText(`{"tool":[${tool}]}`);
  });
