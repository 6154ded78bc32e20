import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';

describe.each([
  ['start', 'infra/local/start.ts'],
  ['test', 'infra/local/test.ts'],
  ['reset', 'infra/local/reset.ts'],
  ['bench', 'bench/run.ts'],
  ['fuzz', 'e2e/fuzz/fuzz-command.ts'],
  ['doctor', 'infra/doctor/doctor-command.ts'],
  ['dead-letters', 'packages/event-bus/src/dead-letters-command.ts'],
  ['migrate', 'packages/service-runtime/src/migrate-command.ts'],
  ['set-up-broker', 'packages/event-bus/src/set-up-broker-command.ts'],
  ['second-factor:remove', 'services/accounts/src/remove-second-factor-command.ts'],
  ['second-factor:reseal', 'services/accounts/src/reseal-secrets-command.ts'],
  ['admin:create', 'services/accounts/src/create-admin-command.ts'],
  ['signing-keys', 'services/accounts/src/signing-keys-command.ts'],
])('npm run %s', (name, file) => {
  const run = (option: string) =>
    spawnSync(process.execPath, [file, option], { cwd: projectRoot, encoding: 'utf8' });
  const usage = new RegExp(`npm (run )?${name}`);

  it('prints the command’s usage with --help', () => {
    expect(run('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(usage),
      stderr: '',
    });
  });

  it('rejects an unknown option with a message and the usage, without a stack trace', () => {
    const { status, stderr } = run('--nonsense');

    expect(status).toBe(2);
    expect(stderr).toMatch(/^[^\n]*--nonsense/);
    expect(stderr).toMatch(usage);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
