/**
 * `npm run abuse -- uploads` attacks a marketplace and measures how other clients are served meanwhile. Linux only.
 * TEST_RUN_FILE selects a running marketplace, which must use RATE_LIMIT_FACTOR=1.
 */
import { startTestSite } from '@lendtools/local/test-site';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { attackByPasswords } from './passwords.ts';
import { attackBySlowPosts } from './slow-posts.ts';
import { attackBySlowReaders } from './slow-readers.ts';
import { attackByUploads } from './uploads.ts';

/** Each attack prints its measurements. It returns true if the site still served other clients. */
const attacks: Record<string, () => Promise<boolean>> = {
  passwords: attackByPasswords,
  'slow-posts': attackBySlowPosts,
  'slow-readers': attackBySlowReaders,
  uploads: attackByUploads,
};

const usage = `npm run abuse -- <attack>…\n\n${Object.keys(attacks).join('\n')}`;
const chosen = readCommandLine(usage, (args) =>
  args.map((name) => attacks[name] ?? fail(`There is no attack ${name}.`, usage)),
);
if (chosen.length === 0) fail('Name an attack.', usage);

process.env.RATE_LIMIT_FACTOR = '1';
const site = process.env.TEST_RUN_FILE ? undefined : startTestSite(console.log, 'abuse');
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  for (const attack of chosen) if (!(await attack())) process.exitCode = 1;
} finally {
  await site?.stop();
}
