import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import { onPath } from './on-path.ts';

export async function findPromtool(): Promise<string> {
  const find = () => onPath('promtool');
  const present = find();
  if (present) return present;
  if (mayInstallDebianPackages()) await installDebianPackages(['prometheus']);
  const installed = find();
  if (installed) return installed;
  throw new Error(
    'promtool is needed: install Prometheus (apt install prometheus, brew install prometheus), ' +
      'or run this as root on Debian or Ubuntu so that it can be installed.',
  );
}
