import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';

/** Landing screens, each with the files needed for its first view. */
const screens = {
  home: ['src/app/home-page.tsx'],
  browse: ['src/features/browse/user-dashboard-page.tsx', 'src/app/user-layout.tsx'],
  tool: ['src/features/tool/tool-page.tsx'],
  login: ['src/features/account/login-page.tsx'],
};
type Screen = keyof typeof screens;
const names = Object.keys(screens) as Screen[];
const entry = 'src/main.tsx';

/** The budget of a first visit: what a slow phone downloads in four seconds, with few requests. */
const most = { kB: 170, files: 15 };

type Chunk = Rolldown.OutputChunk;

function chunkWith(chunks: Chunk[], module: string): Chunk {
  const found = chunks.find(({ modules }) =>
    Object.keys(modules).some((id) => id.endsWith(module)),
  );
  if (!found)
    throw new Error(`${module} is in no chunk of the build: update web/build/first-load.ts`);
  return found;
}

function filesFor(chunks: Chunk[], modules: string[]): Chunk[] {
  const reached = new Set<Chunk>();
  const left = modules.map((module) => chunkWith(chunks, module));
  for (let chunk = left.pop(); chunk; chunk = left.pop()) {
    if (reached.has(chunk)) continue;
    reached.add(chunk);
    const { imports } = chunk;
    left.push(...chunks.filter(({ fileName }) => imports.includes(fileName)));
  }
  return [...reached];
}

/** Groups modules by the landing screens that need them, one chunk per group. A trial build finds the modules. */
export async function filesByScreens(config: InlineConfig): Promise<Map<string, string>> {
  const trial = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false, reportCompressedSize: false },
  });
  const { output } = trial as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === 'chunk');
  const app = new Set(filesFor(chunks, [entry]));
  const needed = new Map<string, string>();
  for (const name of names) {
    for (const chunk of filesFor(chunks, screens[name])) {
      if (app.has(chunk)) continue;
      for (const id of Object.keys(chunk.modules)) {
        needed.set(id, needed.has(id) ? `${needed.get(id)}-${name}` : name);
      }
    }
  }
  return needed;
}

interface FirstLoad {
  screen: string;
  kB: number;
  files: number;
}

function measureFirstLoads(bundle: Rolldown.OutputBundle): FirstLoad[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  return names.map((screen) => {
    const files = filesFor(chunks, [entry, ...screens[screen]]);
    const sizes = files.map(({ code }) => gzipSync(code, { level: 9 }).length);
    return { screen, kB: sizes.reduce((a, b) => a + b, 0) / 1000, files: files.length };
  });
}

function firstLoadLine(loads: FirstLoad[]): string {
  return `First load, JavaScript gzipped (at most ${most.kB} kB in ${most.files} files): ${loads
    .map(({ screen, kB, files }) => `${screen} ${kB.toFixed(1)} kB in ${files}`)
    .join(', ')}`;
}

/** Fails the build if a screen's first load exceeds the budget. */
export function firstLoadBudget(): Plugin {
  return {
    name: 'first-load-budget',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const loads = measureFirstLoads(bundle);
      const over = loads.filter(({ kB, files }) => kB > most.kB || files > most.files);
      if (over.length === 0) return console.log(firstLoadLine(loads));
      const screensOver = over.map(({ screen }) => screen).join(', ');
      this.error(`Too much for a first load: ${screensOver}. ${firstLoadLine(loads)}`);
    },
  };
}
