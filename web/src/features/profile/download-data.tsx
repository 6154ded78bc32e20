import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { useDataExportMutation, useRequestDataExportMutation } from './profile-api.ts';

function Ready({ userId, exportId }: { userId: string; exportId: string }) {
  const [load] = useDataExportMutation();
  return (
    <Alert color="green" title="Your file is ready">
      <DownloadButton
        label="Download"
        name="your data"
        fileName="lendtools-data.zip"
        load={() => load({ userId, id: exportId })}
      />
    </Alert>
  );
}

interface DownloadDataProps {
  userId: string;
  /** The file that the email's link names. */
  exportId: string | null;
}

export function DownloadData({ userId, exportId }: DownloadDataProps) {
  const [request, { isLoading }] = useRequestDataExportMutation();
  const collect = async () => {
    const { data, error } = await request(userId);
    if (data) toastSuccess(data.message);
    else toastError(errorMessage(error));
  };
  return (
    <Stack component="section" aria-labelledby="download-data" maw={680} gap="sm">
      <Title order={2} size="h3" id="download-data">
        Download your data
      </Title>
      <Text c="dimmed">
        One file with your profile, tools and pictures, bookings, payments, messages and reviews. We
        email you a link that works for 7 days. To open it, log in and confirm your password.
      </Text>
      {exportId && <Ready userId={userId} exportId={exportId} />}
      <Button variant="default" w="fit-content" loading={isLoading} onClick={() => void collect()}>
        Collect my data
      </Button>
    </Stack>
  );
}
