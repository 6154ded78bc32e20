import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../home.ts';

export const processes = [
  ...readdirSync(join(projectRoot, 'services')).map((name) => `services/${name}`),
  'gateway',
].filter((folder) => existsSync(join(projectRoot, folder, 'src', 'config.ts')));

export async function settingsOf(folder: string): Promise<{ name: string; isRequired: boolean }[]> {
  const module = await import(join(projectRoot, folder, 'src', 'config.ts'));
  const schemas = Object.values(module).filter((value) => value instanceof z.ZodObject);
  if (schemas.length === 0) throw new Error(`${folder}/src/config.ts exports no schema`);
  return schemas
    .flatMap((schema) => Object.entries<z.ZodType>(schema.shape))
    .filter(([name]) => /^[A-Z]/.test(name))
    .map(([name, type]) => ({ name, isRequired: !type.safeParse(undefined).success }));
}
