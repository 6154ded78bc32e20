import { forbidden, type Identity, type Pool } from '@lendtools/service-kit';
import { toolNotFound } from './errors.ts';
import { readTool, type StoredTool } from './tool-repository.ts';

export const isOwnTool = (tool: StoredTool, user: Identity): boolean =>
  tool.ownerId === user.userId || user.role === 'Admin';

/** @throws AppError 404 when there is no such tool, 403 when it is somebody else's and the caller no admin. */
export const readOwnTool = async (pool: Pool, id: string, user: Identity): Promise<StoredTool> => {
  const tool = await readTool(pool, id);
  if (!tool) throw toolNotFound();
  if (!isOwnTool(tool, user)) throw forbidden();
  return tool;
};
