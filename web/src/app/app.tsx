import '@fontsource-variable/bricolage-grotesque';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../ui/global.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { cssVariables, theme } from '../ui/theme.ts';
import type { createAppRouter } from './router.tsx';
import type { AppStore } from './store.ts';

interface AppProps {
  store: AppStore;
  router: ReturnType<typeof createAppRouter>;
  /** `test` takes Mantine's transitions and portals away. */
  env?: 'default' | 'test';
}

export function App({ store, router, env = 'default' }: AppProps) {
  return (
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        env={env}
      >
        <Notifications position="top-center" limit={3} />
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
      </MantineProvider>
    </Provider>
  );
}
