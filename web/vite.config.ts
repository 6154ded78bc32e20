import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig, type Plugin, type UserConfig } from 'vite';
import { filesByScreens, firstLoadBudget } from './build/first-load.ts';
import { inlineStart } from './build/inline-start.ts';
import { precompress } from './build/precompress.ts';
import { styleBeside } from './build/style-beside.ts';

/** The target of the dev server's proxy; start it with `npm start -- --port 8080`. */
const gateway = 'http://localhost:8080';

const routerBuild = path.join(import.meta.dirname, '../node_modules/react-router/dist/production');

/** Router functions that this app never calls: for server rendering, missing error elements and instrumentation. */
const neverCalled = [
  ...['Scripts', 'PrefetchPageLinks', 'RSCErrorHandler', 'deserializeErrors'],
  ...['RemixRootDefaultErrorBoundary', 'DefaultErrorComponent'],
  ...['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
];

/** Saves 4.5 kB gzipped: empties the `neverCalled` functions, and drops display names, which only debuggers use. */
const clientRouter: Plugin = {
  name: 'client-router',
  transform: {
    filter: { id: /react-router[\\/]dist[\\/]production[\\/]chunk/ },
    handler(whole) {
      let code = whole
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace(/ = (\w+\.(?:forwardRef|createContext|memo)\d*\()/g, ' = /* @__PURE__ */ $1');
      for (const name of neverCalled) {
        // Each function is in only one of the router's files, so the others stay unchanged. The names fit the version
        // of the router that package.json pins.
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
    // Use react-router's production build. Bundlers get the development build by default, with warnings useless here.
    alias: [
      { find: /^react-router$/, replacement: `${routerBuild}/index.mjs` },
      { find: /^react-router\/dom$/, replacement: `${routerBuild}/dom-export.mjs` },
    ],
  },
  build: {
    target: 'es2022',
    // No polyfill: even the oldest supported browsers, of 2022, have modulepreload.
    modulePreload: { polyfill: false },
    // Fonts and images stay files: the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
};

/** React, the store and the router rarely change: in a chunk of their own they stay cached when a screen changes. */
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
        // Inlines the endpoint constants into each page's chunk; as one module, all would load with the first page.
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
