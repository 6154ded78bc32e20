import { spawnSync } from 'node:child_process';

/** Runs StrykerJS on the `domain/` folders of these services, or of all. Returns its exit code. */
export const breakDomains = (services: string[]): number => {
  const files = services.map((name) => `services/${name}/src/domain/*.ts`);
  const only = files.length > 0 ? ['--mutate', [...files, '!**/*.test.ts'].join()] : [];
  const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
  const args = [stryker, 'run', 'e2e/stryker.config.mjs', ...only];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
};
