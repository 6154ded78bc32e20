import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export function fakeDocker(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-'));
  const notes = join(folder, 'calls');
  const lines = ['#!/bin/sh', `echo "$*" >>'${notes}'`, script];
  writeFileSync(join(folder, 'docker'), lines.join('\n'), { mode: 0o755 });
  return {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    calls: (): string[] =>
      existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [],
    remove: () => rmSync(folder, { recursive: true }),
  };
}
