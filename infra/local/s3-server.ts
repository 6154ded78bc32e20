import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerContext } from './home.ts';
import { findJava, jarsOf } from './java.ts';
import { neededJava } from './prerequisites.mjs';

export interface S3Server {
  /** The URL contains a key with all rights, but no bucket. */
  url: string;
  choice: string;
}

export const s3Key = 'lendtools';

/** For tests only. S3Proxy checks signatures and hashes as strictly as S3. */
export async function startS3Server(context: ServerContext): Promise<S3Server> {
  const given = process.env.TEST_S3_URL;
  if (given) return { url: given, choice: 'TEST_S3_URL' };
  const java = await findJava(context, {
    folder: 's3-server',
    need: 'S3',
    name: 'S3Proxy',
    otherwise:
      `The tests need an S3 server. Either install Java ${neededJava} and Maven (apt install default-jre-headless ` +
      'maven), or give the address of a server as TEST_S3_URL=http://KEY:SECRET@host:port',
  });
  const folder = join(context.home, 's3');
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const port = await context.ports.pick('s3');
  const secret = context.secrets.get('s3Secret');
  const settings = join(folder, 's3proxy.conf');
  const lines = [
    `s3proxy.endpoint=http://127.0.0.1:${port}`,
    's3proxy.authorization=aws-v4',
    `s3proxy.identity=${s3Key}`,
    `s3proxy.credential=${secret}`,
    'jclouds.provider=filesystem-nio2',
    `jclouds.filesystem.basedir=${data}`,
  ];
  writeFileSync(settings, lines.join('\n'), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  await context.supervisor.start({
    name: 's3',
    command: java,
    args: [
      ...['-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
      ...['-cp', join(jarsOf('s3-server'), '*'), 'org.gaul.s3proxy.Main', '--properties', settings],
    ],
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    port,
    // S3Proxy is up once it rejects an unsigned request.
    isReady: async () => (await fetch(url)).status === 403,
  });
  return { url: url.replace('//', `//${s3Key}:${secret}@`), choice: `S3Proxy on port ${port}` };
}
