import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig, type Plugin, type UserConfig } from 'vite';
import { filesByScreens, firstLoadBudget } from './build/first-load.ts';
import { inlineStart } from './build/inline-start.ts';
import { precompress } from './build/precompress.ts';
import { styleBeside } from './build/style-beside.ts';

/** Where `npm -w web run dev` finds a running marketplace: `npm start -- --port 8080`. */
const gateway = 'http://localhost:8080';

const routerBuild = path.join(import.meta.dirname, '../node_modules/react-router/dist/production');

/**
 * Functions of the router that are never called here: of pages rendered on a server, of routes without an error element of
 * their own (the outermost has one), and of instrumented routers.
 */
const neverCalled = [
  ...['Scripts', 'PrefetchPageLinks', 'RSCErrorHandler', 'deserializeErrors'],
  ...['RemixRootDefaultErrorBoundary', 'DefaultErrorComponent'],
  ...['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
];

/**
 * Leaves them out, 4.5 kB gzipped; the names that the router gives its components for a debugger no longer keep the bundler
 * from leaving out what nobody uses.
 */
const clientRouter: Plugin = {
  name: 'client-router',
  transform: {
    filter: { id: /react-router[\\/]dist[\\/]production[\\/]chunk/ },
    handler(whole) {
      let code = whole
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace(/ = (\w+\.(?:forwardRef|createContext|memo)\d*\()/g, ' = /* @__PURE__ */ $1');
      for (const name of neverCalled) {
        // In the one of its files that has them; the names are those of the version that package.json pins.
        const start = `\nfunction ${name}(`;
        code = code.replace(
          start,
          `\nfunction ${name}() {\n  return null;\n}\nfunction Whole${name}(`,
        );
      }
      return { code, map: null };
    },
  },
};

/** Names that a debugger shows, of every component. */
const withoutNames: Plugin = {
  name: 'without-names',
  transform: {
    filter: { id: /@mantine[\\/]core[\\/]esm/ },
    handler: (code) => ({ code: code.replace(/^\s*\w+\.displayName = .+;$/gm, ''), map: null }),
  },
};

const common: InlineConfig = {
  root: import.meta.dirname,
  plugins: [react(), clientRouter, withoutNames],
  resolve: {
    // Its package gives bundlers the development build, with warnings that nobody would read.
    alias: [
      { find: /^react-router$/, replacement: `${routerBuild}/index.mjs` },
      { find: /^react-router\/dom$/, replacement: `${routerBuild}/dom-export.mjs` },
    ],
  },
  build: {
    target: 'es2022',
    // Browsers of that year preload modules themselves.
    modulePreload: { polyfill: false },
    // Fonts and pictures stay files: the content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
};

/** React, the store and the router change seldom: their own file stays in the browser's cache when a screen changes. */
const framework =
  /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@reduxjs|react-redux|redux|redux-persist|immer|reselect)[\\/]/;

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  const files = command === 'build' ? await filesByScreens(common) : new Map<string, string>();
  return {
    ...common,
    plugins: [
      ...(common.plugins ?? []),
      inlineStart(),
      firstLoadBudget(),
      styleBeside(),
      precompress(),
    ],
    build: {
      ...common.build,
      rolldownOptions: {
        // Each screen has the texts of its own calls: their one module would come with the first of them whole.
        optimization: { inlineConst: { mode: 'all' } },
        output: {
          codeSplitting: {
            groups: [
              { name: 'framework', priority: 3, test: framework },
              { name: 'app', priority: 2, tags: ['$initial'] },
              {
                name: (id) => files.get(id) ?? null,
                debugName: 'screens',
                priority: 1,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: {
        '/api': { target: gateway, changeOrigin: true },
        '/socket.io': { target: gateway, ws: true },
      },
    },
  };
});
