import type { Login } from '../run-file.ts';
import type { ServerContext } from '../servers.ts';
import type { Surroundings } from '../services.ts';

export async function seedDemo(_options: {
  context: ServerContext;
  around: Surroundings;
}): Promise<Login[]> {
  return [];
}
