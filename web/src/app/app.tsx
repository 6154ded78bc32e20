import '@fontsource-variable/bricolage-grotesque';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '../ui/global.css';
import { MantineProvider } from '@mantine/core';
import { lazy } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { Part } from '../ui/part.tsx';
import { cssVariables, theme } from '../ui/theme.ts';
import { useOverlaysWanted } from '../ui/wake-overlays.ts';
import type { createAppRouter } from './router.tsx';
import type { AppStore } from './store.ts';

const Overlays = lazy(() => import('../ui/overlays.tsx'));

interface AppProps {
  store: AppStore;
  router: ReturnType<typeof createAppRouter>;
  /** `test` disables Mantine's transitions and portals. */
  env?: 'default' | 'test';
}

export function App({ store, router, env = 'default' }: AppProps) {
  const overlaysWanted = useOverlaysWanted();
  return (
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        env={env}
      >
        <RouterProvider router={router} />
        <Part>{overlaysWanted && <Overlays />}</Part>
      </MantineProvider>
    </Provider>
  );
}
