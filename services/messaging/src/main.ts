import { readConfig, runProcess } from '@lendtools/service-kit';
import { configSchema } from './config.ts';
import { startMessaging } from './start-messaging.ts';

await runProcess(() => startMessaging(readConfig(configSchema, process.env)), process.env.FAULT);
