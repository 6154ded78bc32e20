import { readConfig, runProcess } from '@lendtools/service-kit';
import { configSchema } from './config.ts';
import { startNotifications } from './start-notifications.ts';

await runProcess(
  () => startNotifications(readConfig(configSchema, process.env)),
  process.env.FAULT,
);
