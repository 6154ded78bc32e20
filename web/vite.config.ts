import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm -w web run dev` finds a running marketplace: `npm start -- --port 8080`. */
const gateway = 'http://localhost:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // Fonts and pictures stay files: the content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // React, the store and the router change seldom: their own file stays in the browser's
        // cache when a screen changes. Everything else is split by route.
        codeSplitting: {
          groups: [
            {
              name: 'framework',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@reduxjs|react-redux|redux|redux-persist|immer|reselect)[\\/]/,
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
});
