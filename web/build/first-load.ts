import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';

/** The screens that people land on, with what each shows at once beside its own file. */
const screens = {
  home: ['src/app/home-page.tsx'],
  browse: ['src/features/browse/user-dashboard-page.tsx', 'src/app/user-layout.tsx'],
  tool: ['src/features/tool/tool-page.tsx'],
  login: ['src/features/account/login-page.tsx'],
};
type Screen = keyof typeof screens;
const names = Object.keys(screens) as Screen[];
const entry = 'src/main.tsx';

/** What a slow phone's network brings in four seconds, and how many files it can ask for without much waiting. */
const most = { kB: 170, files: 15 };

type Chunk = Rolldown.OutputChunk;

const chunkWith = (chunks: Chunk[], module: string): Chunk => {
  const found = chunks.find(({ modules }) =>
    Object.keys(modules).some((id) => id.endsWith(module)),
  );
  if (!found) throw new Error(`${module} is in no file of the build: mend web/build/first-load.ts`);
  return found;
};

/** The files that the browser fetches before these modules can run. */
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

/**
 * The file that each module belongs to, by which of the screens above need it: so each of them fetches what it needs,
 * nothing else, and that in few files, where the bundler by itself makes a file for each set of all sixty screens. Only
 * a build knows who needs what, because until then a library's index needs all of the library.
 */
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

/** What is fetched to show each screen to somebody who was never here: the app, and the screen's own files. */
function measureFirstLoads(bundle: Rolldown.OutputBundle): FirstLoad[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  return names.map((screen) => {
    const files = filesFor(chunks, [entry, ...screens[screen]]);
    const sizes = files.map(({ code }) => gzipSync(code, { level: 9 }).length);
    return { screen, kB: sizes.reduce((a, b) => a + b, 0) / 1000, files: files.length };
  });
}

/** One line of figures, which `npm start` and `npm test` print after a build. */
const firstLoadLine = (loads: FirstLoad[]): string =>
  `First load, JavaScript gzipped (at most ${most.kB} kB in ${most.files} files): ${loads
    .map(({ screen, kB, files }) => `${screen} ${kB.toFixed(1)} kB in ${files}`)
    .join(', ')}`;

/** Fails the build when a screen's first load has outgrown what a slow phone can take. */
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
