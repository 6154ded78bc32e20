import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startNotifications } from './start-notifications.ts';

await runProcess(() => startNotifications(readConfig(config, process.env)), process.env.FAULT);
