// The first step of `npm start` and `npm test`. It uses only built-ins, so that it runs on any Node before packages are
// installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findRabbitMq,
  hasDocker,
  isReachable,
  isWindowsDrive,
  javaVersion,
  onPath,
} from './machine.mjs';
import { missingPrerequisites, neededNode } from './prerequisites.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const oldestNode = 20;

const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
  console.error(
    `LendTools needs Node ${oldestNode} or newer to start its installation; this is ${process.version}.`,
  );
  process.exit(1);
}

const started = performance.now();
const jobs = [];
const isForTests = process.env.npm_lifecycle_event === 'test';
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
let dockerAnswers;
function probeDocker() {
  dockerAnswers ??= hasDocker();
  return dockerAnswers;
}
const needsMongoLocal = await isMongoLocalNeeded();
const missing = missingPrerequisites({
  platform: process.platform,
  arch: process.arch,
  nodeVersion: process.versions.node,
  isRoot: process.getuid?.() === 0,
  canInstall,
  isForTests,
  isOnWindowsDrive: isWindowsDrive(root),
  env: process.env,
  has: (program) => onPath(program) !== null,
  hasRabbitMq: findRabbitMq() !== null,
  hasMongoDb: !needsMongoLocal,
  javaVersion,
  hasMaven: onPath('mvn') !== null,
  hasJars,
  hasDocker: probeDocker,
});
if (missing.length > 0) {
  console.error(`LendTools needs:\n${missing.map((sentence) => `- ${sentence}`).join('\n')}`);
  process.exit(1);
}

if (!areModulesInstalled()) {
  // Include the packages that build the web app: npm skips them if NODE_ENV is production.
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  jobs.push(job('npm packages', 'npm', ['ci', ...options, '--loglevel=error']));
}
const packages = canInstall ? missingDebianPackages() : [];
const debian = packages.length === 0 ? Promise.resolve() : installDebianPackages(packages);
const jars = javaServers().filter((folder) => !hasJars(folder));
if (packages.length > 0) jobs.push(debian);
// Install this package on its own, because some Debian versions lack it. Without it the tests use another browser.
if (canInstall && isForTests && needsHeadlessShell()) {
  jobs.push(installDebianPackages(['chromium-headless-shell']));
}
if (jars.length > 0 && onPath('mvn')) jobs.push(fetchJars());
else if (jars.length > 0 && packages.includes('maven')) jobs.push(debian.then(fetchJars));

if (jobs.length > 0) {
  // A failed installation of Debian packages is not fatal, because `npm start` has alternatives to them.
  await Promise.all(jobs);
  if (!areModulesInstalled()) {
    console.error('\nThe npm packages could not be installed; see the messages above.');
    process.exit(1);
  }
  if (major < neededNode && !existsSync(join(root, 'node_modules', '.bin', 'node'))) {
    console.error(
      `\nnpm did not install Node ${neededNode}, and this is Node ${process.version}: install Node ${neededNode} or newer yourself.`,
    );
    process.exit(1);
  }
  console.log(`Everything is installed after ${seconds(started)}\n`);
}

// npm writes `node_modules/.package-lock.json` last, so the file exists only after a complete installation.
function areModulesInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(
      readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional, link }]) =>
        !path.includes('node_modules/') ||
        (optional && !(path in present)) ||
        (link ? path in present : present[path]?.version === version),
    );
  } catch {
    return false;
  }
}

function missingDebianPackages() {
  const { POSTGRES_URL, AMQP_URL } = process.env;
  const names = [];
  if (!AMQP_URL && !findRabbitMq()) names.push('rabbitmq-server');
  if (!POSTGRES_URL && !onPath('setpriv')) names.push('util-linux');
  const folders = javaServers();
  if (folders.length > 0 && !onPath('java')) names.push('default-jre-headless');
  if (!folders.every(hasJars) && !onPath('mvn')) names.push('maven');
  return names;
}

// True if no suitable browser is installed. Debian's full Chromium also works, but needs 50 % more CPU time.
function needsHeadlessShell() {
  const others = ['chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const isThere = ['chromium-headless-shell', ...others].some((name) => onPath(name));
  return !process.env.CHROME_PATH && !isThere && !isUnknownToApt('chromium-headless-shell');
}

// A failing apt call takes ten seconds, so this first looks for the package in apt's lists.
function isUnknownToApt(name) {
  const lists = '/var/lib/apt/lists';
  const hasLists =
    existsSync(lists) && readdirSync(lists).some((file) => file.includes('_Packages'));
  return hasLists && spawnSync('apt-cache', ['show', name]).status !== 0;
}

function javaServers() {
  return [
    ...(needsMongoLocal && !probeDocker() ? ['mongo-local'] : []),
    ...(isForTests && !process.env.TEST_S3_URL ? ['s3-server'] : []),
  ];
}

// Makes the same decision as `mongodb.ts`, but earlier, so that Java is installed in parallel with the npm packages.
async function isMongoLocalNeeded() {
  if (process.env.MONGO_URL || onPath('mongod')) return false;
  if (existsSync(join(root, 'node_modules', '.cache', 'mongodb'))) return false;
  if (hasJars('mongo-local') && onPath('java')) return false;
  return !(await isReachable('https://fastdl.mongodb.org'));
}

function hasJars(folder) {
  return existsSync(join(root, 'infra', folder, 'lib', '.complete'));
}

function installDebianPackages(names) {
  const script = join(here, 'install-debian-packages.mjs');
  return job(`Debian packages (${names.join(', ')})`, process.execPath, [script, ...names]);
}

function fetchJars() {
  const script = join(here, 'fetch-jars.mjs');
  return job(`jars of ${jars.join(', ')} (Maven)`, process.execPath, [script, ...jars]);
}

function job(name, command, args) {
  const begun = performance.now();
  console.log(`Installing ${name} …`);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => finish(false, error.message));
    child.once('close', (code) => finish(code === 0, output));
    function finish(succeeded, text) {
      console.log(`${succeeded ? 'Installed' : 'Could not install'} ${name} (${seconds(begun)})`);
      if (!succeeded) console.error(text.trimEnd());
      resolve(succeeded);
    }
  });
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}
