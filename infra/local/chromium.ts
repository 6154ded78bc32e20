import { existsSync } from 'node:fs';
import { installDebianPackages, mayInstallDebianPackages } from './debian-packages.ts';
import { onPath } from './on-path.ts';

export interface Chromium {
  path: string;
  choice: string;
}

// The headless shell has no window system and needs a third less CPU time than Chromium.
const programs = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
];
const macOsApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

export async function findChromium(say: (line: string) => void): Promise<Chromium | null> {
  const given = process.env.CHROME_PATH;
  if (given) return { path: given, choice: `CHROME_PATH (${given})` };
  const present = findPresent();
  if (present) return { path: present, choice: present };
  if (mayInstallDebianPackages()) {
    for (const name of ['chromium-headless-shell', 'chromium']) {
      say(`Chromium: installing the Debian package ${name}`);
      await installDebianPackages([name]).catch((error: Error) => say(error.message));
      const installed = findPresent();
      if (installed) return { path: installed, choice: `${installed} from Debian` };
    }
  }
  return downloadWithPlaywright(say);
}

function findPresent(): string | null {
  for (const program of programs) {
    const path = onPath(program);
    if (path) return path;
  }
  return existsSync(macOsApp) ? macOsApp : null;
}

async function downloadWithPlaywright(say: (line: string) => void): Promise<Chromium | null> {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  if (!existsSync(path)) {
    say("Chromium: trying Playwright's own download");
    const { spawnSync } = await import('node:child_process');
    spawnSync('npx', ['--no-install', 'playwright-core', 'install', 'chromium'], {
      stdio: 'ignore',
    });
  }
  return existsSync(path) ? { path, choice: "Playwright's download" } : null;
}
