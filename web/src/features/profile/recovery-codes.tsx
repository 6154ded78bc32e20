import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../lib/save-file.ts';

interface RecoveryCodesProps {
  codes: string[];
  onSaved: () => void;
}

/** Shows new recovery codes. They can't be shown again, because the server stores only hashes. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const text = `LendTools recovery codes. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <Alert color="green" title="Save your recovery codes" role="status">
      <Stack gap="sm">
        <Text size="sm">
          If you lose your phone, one of these logs you in. Each works once. Keep them where only
          you can find them; they aren’t shown again.
        </Text>
        <SimpleGrid component="ul" cols={{ base: 1, sm: 2 }} spacing="xs" p={0} m={0}>
          {codes.map((code) => (
            <Code key={code} component="li" fz="sm" style={{ listStyle: 'none' }}>
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group gap="sm">
          <Button onClick={onSaved}>I’ve saved them</Button>
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />
                }
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            variant="default"
            onClick={() => saveFile('lendtools-recovery-codes.txt', 'text/plain', text)}
            leftSection={<IconDownload size={18} aria-hidden />}
          >
            Download
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
